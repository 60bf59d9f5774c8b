import { isRedpenError } from '@redpen/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';

/** Data is read again when a page is opened or the window comes to the front; the client repeats what may be repeated. */
export const createQueryClient = (): QueryClient => {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // The session has ended: the sign-in page takes the place of the page, and comes back to it.
        if (isRedpenError(error) && error.status === 'UNAUTHENTICATED' && query.queryKey[0] !== 'session')
          void queries.invalidateQueries({ queryKey: ['session'] });
      },
    }),
    defaultOptions: {
      queries: { retry: false, staleTime: 5_000 },
      mutations: { retry: false },
    },
  });
  return queries;
};
