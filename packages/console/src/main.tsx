// First, before a library makes markup from text.
import './markup-policy.ts';

import './styles/document.css';
import './styles/tokens.css';

import { tokensRule } from '@redpen/elements/theme/tokens';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './data/query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { callSession } from './session/session-call.ts';
import { clientFor } from './session/session-fetch.ts';
import { applyTheme, readTheme } from './shell/theme.ts';

/**
 * Exchanges the one-time code of a printed, mailed or invitation link for a session. The code is in the fragment, which
 * reaches no log and no proxy, and is removed from the address at once.
 */
async function startSessionByLink(): Promise<unknown> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return await callSession(clientFor(undefined), '/v2/session/start', { code }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const tokens = new CSSStyleSheet();
tokens.replaceSync(tokensRule(':root'));
document.adoptedStyleSheets.push(tokens);
applyTheme(readTheme());
const signInFailure = await startSessionByLink();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createConsoleRouter(signInFailure)} />
    </QueryClientProvider>
  </StrictMode>,
);
