// First, before a library makes markup from text.
import './markup-policy.ts';

import './styles/document.css';
import './styles/tokens.css';

import { tokensRule } from '@redpen/elements/theme/tokens';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { enableShadowDOM } from 'react-stately/private/flags/flags';
import { createQueryClient } from './data/query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { startSession } from './session/start-session.ts';
import { applyTheme, readTheme } from './shell/theme.ts';

/**
 * The one-time code of a printed, mailed or invitation link, which is exchanged for a session. It is in the fragment, which
 * reaches no log and no proxy, and is removed from the address at once.
 */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Mailed links and invitations, which programs that check mail open as well, and which anyone can send to a person. */
const isFromOthers = (code: string): boolean => /^rp[im]_/.test(code);

// Dialogs keep the focus within them, and must find the fields of our elements.
enableShadowDOM();
const tokens = new CSSStyleSheet();
tokens.replaceSync(tokensRule(':root'));
document.adoptedStyleSheets.push(tokens);
applyTheme(readTheme());
const root = createRoot(document.getElementById('root')!);
const showConsole = (signInFailure?: unknown): void =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createConsoleRouter(signInFailure)} />
      </QueryClientProvider>
    </StrictMode>,
  );

async function start(): Promise<void> {
  const code = takeCode();
  if (code === undefined) showConsole();
  else if (isFromOthers(code)) {
    const { LinkConsent } = await import('./session/link-consent.tsx');
    root.render(
      <StrictMode>
        <LinkConsent code={code} onDone={showConsole} />
      </StrictMode>,
    );
  } else showConsole(await startSession(code));
}
// Not awaited: files that are loaded later import this one, and would wait for its end.
void start();
