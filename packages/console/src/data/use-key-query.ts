import type { Redpen } from '@redpen/client';
import {
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useKey, useRedpen } from '../session/session.tsx';

interface QueryOptions<T> {
  enabled?: boolean;
  /** Milliseconds between reads while the page is open, or a function of what was read. */
  refetchInterval?: number | ((data: T | undefined) => number | false);
  /** Shows the previous data while other filters are read. */
  keepsPrevious?: boolean;
  /** Reads once: each read has another result, or is expensive. */
  isOnce?: boolean;
}

/** Reads something of the API key of the page. `name` and the values in it identify the data. */
export function useKeyQuery<T>(
  name: readonly unknown[],
  read: (redpen: Redpen, signal: AbortSignal) => Promise<T>,
  { enabled = true, refetchInterval, keepsPrevious = false, isOnce = false }: QueryOptions<T> = {},
): UseQueryResult<T> {
  const { apiKeyId } = useKey().key;
  const redpen = useRedpen();
  return useQuery<T>({
    queryKey: [apiKeyId, ...name],
    queryFn: ({ signal }) => read(redpen, signal),
    enabled,
    ...(refetchInterval !== undefined && {
      refetchInterval:
        typeof refetchInterval === 'number'
          ? refetchInterval
          : (query: { state: { data: T | undefined } }) => refetchInterval(query.state.data),
    }),
    ...(keepsPrevious && { placeholderData: keepPreviousData as never }),
    ...(isOnce && { staleTime: Number.POSITIVE_INFINITY }),
  });
}

/** Reads a list page by page; `read` gets the token of the page. */
export function useKeyPages<T>(
  name: readonly unknown[],
  read: (
    redpen: Redpen,
    pageToken: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ items: T[]; next: string | null | undefined }>,
  { refetchInterval }: { refetchInterval?: (items: readonly T[]) => number | false } = {},
) {
  const { apiKeyId } = useKey().key;
  const redpen = useRedpen();
  const query = useInfiniteQuery({
    queryKey: [apiKeyId, ...name],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => read(redpen, pageParam, signal),
    getNextPageParam: (last) => last.next || undefined,
    ...(refetchInterval && {
      refetchInterval: (of: { state: { data: { pages: { items: T[] }[] } | undefined } }) =>
        refetchInterval(of.state.data?.pages.flatMap(({ items }) => items) ?? []),
    }),
  });
  return { ...query, items: query.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/** Changes something of the API key, and reads again what has one of these names. */
export function useKeyMutation<V, T>(
  change: (redpen: Redpen, variables: V) => Promise<T>,
  { renews = [] }: { renews?: readonly (readonly unknown[])[] } = {},
) {
  const { apiKeyId } = useKey().key;
  const redpen = useRedpen();
  const queries = useQueryClient();
  return useMutation<T, Error, V>({
    mutationFn: (variables) => change(redpen, variables),
    async onSuccess() {
      await Promise.all(renews.map((name) => queries.invalidateQueries({ queryKey: [apiKeyId, ...name] })));
    },
  });
}
