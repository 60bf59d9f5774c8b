import type { WebState } from './web-app.ts';

const RELOAD_SECONDS = 2;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const printPage = (head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>Redpen</title>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

/** The page that stands for the console until it is built. */
export function printWaitingPage(state: Exclude<WebState, { state: 'ready' }>): string {
  if (state.state === 'building') {
    return printPage(
      `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">\n`,
      '<h1>The console is being built</h1>\n<p>This page reloads by itself, usually within a few seconds.</p>',
    );
  }
  const log = state.log ? `\n<pre>${escapeText(state.log)}</pre>` : '';
  return printPage('', `<h1>The console is missing</h1>\n<p>${escapeText(state.reason)}</p>${log}`);
}
