import { createClient, type Redpen, type User } from '@redpen/client';

/** Names what a request is about: the session alone, an API key of a member's workspace, or a workspace. */
export type Target = { apiKeyId: string } | { workspaceId: string } | undefined;

const headerOf = (target: Target): Record<string, string> => {
  if (!target) return {};
  return 'apiKeyId' in target
    ? { 'x-redpen-key': target.apiKeyId }
    : { 'x-redpen-workspace': target.workspaceId };
};

const listeners = new Set<() => void>();

/** Calls `listener` when the service no longer accepts the session, whichever part of the console has sent the request. */
export function onSessionRejected(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A client whose credential is the cookie of the session, which no script can read. Live stores act for `user`. */
export const clientFor = (target: Target, user?: User): Redpen =>
  createClient({
    baseUrl: location.origin,
    ...(target && 'apiKeyId' in target && user && { session: { apiKey: target.apiKeyId, user } }),
    async fetch(url, init) {
      const response = await fetch(url, {
        ...init,
        credentials: 'same-origin',
        headers: { ...(init?.headers as Record<string, string>), ...headerOf(target) },
      });
      // Requests without a target ask for the session itself, or make one.
      if (response.status === 401 && target) for (const listener of listeners) listener();
      return response;
    },
  });

/** The address of a file of the API key, for pictures and downloads, which cannot send headers. */
export function fileUrl(apiKeyId: string, path: string): string {
  const url = new URL(path, location.origin);
  url.searchParams.set('key', apiKeyId);
  return url.pathname + url.search;
}
