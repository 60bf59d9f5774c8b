import { QueryClient } from '@tanstack/react-query';
import { onSessionRejected } from '../session/session-fetch.ts';

/** Data is read again when a page is opened or the window comes to the front; the client repeats what may be repeated. */
export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      // Without a network, a service on this machine or in its house is still there.
      queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  onSessionRejected(() => {
    // One question is enough for the many requests of a page. Its answer shows the sign-in dialog above the page.
    void queries.invalidateQueries({ queryKey: ['session'] }, { cancelRefetch: false });
  });
  return queries;
}
