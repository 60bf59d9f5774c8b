import type { Redpen } from '@redpen/client';
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useKey, useWorkspaceClient } from '../session/session.tsx';

/** Reads something of the workspace of the page, such as its API keys. */
export function useWorkspaceQuery<T>(
  name: readonly unknown[],
  read: (redpen: Redpen, signal: AbortSignal) => Promise<T>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<T> {
  const { workspaceId } = useKey().workspace;
  const redpen = useWorkspaceClient();
  return useQuery<T>({
    queryKey: ['workspace', workspaceId, ...name],
    queryFn: ({ signal }) => read(redpen, signal),
    enabled,
  });
}

/** Changes something of the workspace, and reads again what has one of these names. */
export function useWorkspaceMutation<V, T>(
  change: (redpen: Redpen, variables: V) => Promise<T>,
  { renews = [] }: { renews?: readonly (readonly unknown[])[] } = {},
) {
  const { workspaceId } = useKey().workspace;
  const redpen = useWorkspaceClient();
  const queries = useQueryClient();
  return useMutation<T, Error, V>({
    mutationFn: (variables) => change(redpen, variables),
    async onSuccess() {
      await Promise.all(
        renews.map((name) => queries.invalidateQueries({ queryKey: ['workspace', workspaceId, ...name] })),
      );
    },
  });
}
