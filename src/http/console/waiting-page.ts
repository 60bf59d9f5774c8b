import { PLACEHOLDER } from './console-policy.ts';
import type { WebState } from './web-app.ts';

const RELOAD_SECONDS = 1;

const STYLE = `
body { margin: 0; min-block-size: 100dvh; display: grid; place-content: center; padding: 24px;
  font: 15px/1.5 system-ui, sans-serif; background: light-dark(#faf9f7, #161514); color: light-dark(#1c1a18, #f0eeeb); }
main { max-inline-size: 60ch; }
h1 { margin: 0; font-size: 22px; letter-spacing: -0.01em; }
p { margin: 8px 0 0; color: light-dark(#625d57, #a8a29a); }
pre { overflow: auto; padding: 12px; border: 1px solid light-dark(#e3e0db, #35322f); border-radius: 8px; font-size: 12px; }
`;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const printPage = (head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style nonce="${PLACEHOLDER}">${STYLE}</style>
${head}<title>Redpen</title>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

/**
 * The page that stands for the console until it is built. A script reloads it: a browser that refreshes an address with a
 * fragment, as that of a link that signs in, only goes to the fragment.
 */
export function printWaitingPage(state: Exclude<WebState, { state: 'ready' }>): string {
  if (state.state === 'building') {
    return printPage(
      `<script nonce="${PLACEHOLDER}">setTimeout(() => location.reload(), ${RELOAD_SECONDS * 1_000})</script>\n`,
      '<h1>The console is being built</h1>\n<p>This page reloads by itself, usually within a few seconds.</p>',
    );
  }
  const log = state.log ? `\n<pre>${escapeText(state.log)}</pre>` : '';
  return printPage('', `<h1>The console is missing</h1>\n<p>${escapeText(state.reason)}</p>${log}`);
}
