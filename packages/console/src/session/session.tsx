import {
  type ConsoleSession,
  createClient,
  isRedpenError,
  type MemberWorkspace,
  type Redpen,
  type SessionStartRequest,
  type User,
} from '@redpen/client';
import { hashKey, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { takeEarlySession } from './early-session.ts';
import { callSession } from './session-call.ts';
import { clientFor } from './session-fetch.ts';
import { sendUnsent } from './unsent.ts';

export type Role = MemberWorkspace['role'];
export type ConsoleKey = MemberWorkspace['apiKeys'][number];

const SESSION_QUERY = ['session'] as const;
const sessionClient = clientFor(undefined);

/** Reads the answer that was asked for before this script was there, if any. */
const firstReader = createClient({
  baseUrl: location.origin,
  fetch: async (url, init) =>
    (await takeEarlySession()) ?? (await fetch(url, { ...init, credentials: 'same-origin' })),
});

/** What the console knows of the session of this browser. */
interface SessionState {
  /** `null` without one. The session that has ended stays while its pages are shown. */
  session: ConsoleSession | null;
  /** True until the person has signed in again or left: the pages keep what was written on them. */
  hasEnded: boolean;
}

/** While the pages wait, another tab may sign in with a link. */
const ENDED_READ_MS = 3_000;

async function readSession(signal: AbortSignal): Promise<ConsoleSession | null> {
  try {
    return await callSession(firstReader, '/v2/session/get', {}, signal);
  } catch (error) {
    if (isRedpenError(error) && error.status === 'UNAUTHENTICATED') return null;
    throw error;
  }
}

export function useSessionQuery() {
  const queries = useQueryClient();
  return useQuery<SessionState>({
    queryKey: SESSION_QUERY,
    // A person without a session may have signed in with a link, in another tab, when they come back to this one.
    staleTime: ({ state: { data } }) => (data?.hasEnded || data?.session === null ? 0 : 60_000),
    refetchInterval: ({ state }) => (state.data?.hasEnded ? ENDED_READ_MS : false),
    queryFn: async ({ signal }): Promise<SessionState> => {
      const session = await readSession(signal);
      const before = knownSession(queries);
      if (!session) return { session: before, hasEnded: before !== null };
      if (before && before.session.sessionId !== session.session.sessionId)
        renewPages(queries, before, session);
      return { session, hasEnded: false };
    },
  });
}

const knownSession = (queries: QueryClient): ConsoleSession | null =>
  queries.getQueryData<SessionState>(SESSION_QUERY)?.session ?? null;

/**
 * Reads again what the pages show if the same account has signed in, so that they keep what was written on them. Otherwise
 * forgets what was read and changed in the session before. The query of the session itself stays: the frame follows it.
 */
function renewPages(
  queries: QueryClient,
  before: ConsoleSession | null,
  session: ConsoleSession | null,
): void {
  const kept = hashKey(SESSION_QUERY);
  const pages = { predicate: ({ queryHash }: { queryHash: string }) => queryHash !== kept };
  if (before && before.account.accountId === session?.account.accountId) {
    void queries.invalidateQueries(pages);
    return;
  }
  queries.removeQueries(pages);
  queries.getMutationCache().clear();
}

/** Shows the pages of another session, or the sign-in page. */
async function changeSession(queries: QueryClient, session: ConsoleSession | null): Promise<void> {
  const before = knownSession(queries);
  // An answer under way knows nothing of the change.
  await queries.cancelQueries({ queryKey: SESSION_QUERY });
  queries.setQueryData<SessionState>(SESSION_QUERY, { session, hasEnded: false });
  renewPages(queries, before, session);
}

/** Signs in with a code of a link, with workspace credentials, or with an email address and its code. */
export function useSignIn() {
  const queries = useQueryClient();
  return async (credentials: SessionStartRequest): Promise<ConsoleSession> => {
    const session = await callSession(sessionClient, '/v2/session/start', credentials);
    await changeSession(queries, session);
    return session;
  };
}

export function useSignOut() {
  const queries = useQueryClient();
  return async (): Promise<void> => {
    await sendUnsent();
    await callSession(sessionClient, '/v2/session/end', {});
    await changeSession(queries, null);
  };
}

/** Shows the sign-in page in place of pages whose session has ended, and forgets what was written on them. */
export function useLeave() {
  const queries = useQueryClient();
  return (): void => void changeSession(queries, null);
}

/** Reads the session again, after a change of what it names, such as workspaces and their API keys. */
export function useRenewSession() {
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: SESSION_QUERY });
}

/**
 * Sends a request, and sends it again once the same account has signed in if the session had ended. Fails with the error of
 * the request if another account signs in, or if the person leaves.
 */
export async function sendOnceSignedIn<T>(queries: QueryClient, send: () => Promise<T>): Promise<T> {
  const before = knownSession(queries);
  try {
    return await send();
  } catch (error) {
    if (!before || !isRedpenError(error) || error.status !== 'UNAUTHENTICATED') throw error;
    await queries.refetchQueries({ queryKey: SESSION_QUERY });
    if (!(await signsInAgain(queries, before.account.accountId))) throw error;
  }
  return await send();
}

/** Waits while the session has ended; returns true if this account is signed in then. */
function signsInAgain(queries: QueryClient, accountId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const look = (): void => {
      const state = queries.getQueryData<SessionState>(SESSION_QUERY);
      if (state?.hasEnded) return;
      stop();
      resolve(state?.session?.account.accountId === accountId);
    };
    const stop = queries.getQueryCache().subscribe(look);
    look();
  });
}

const SessionContext = createContext<ConsoleSession | undefined>(undefined);
const KeyContext = createContext<{ key: ConsoleKey; workspace: MemberWorkspace } | undefined>(undefined);

export const SessionProvider = ({ session, children }: { session: ConsoleSession; children: ReactNode }) => (
  <SessionContext value={session}>{children}</SessionContext>
);

/** Makes an API key of the session the one that the pages within show. */
export function KeyProvider({ apiKeyId, children }: { apiKeyId: string; children: ReactNode }) {
  const { workspaces } = useSession();
  const found = useMemo(() => {
    for (const workspace of workspaces) {
      const key = workspace.apiKeys.find((one) => one.apiKeyId === apiKeyId);
      if (key) return { key, workspace };
    }
    return undefined;
  }, [workspaces, apiKeyId]);
  return <KeyContext value={found}>{children}</KeyContext>;
}

export function useSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider.');
  return session;
}

/** The API key and workspace of the page; undefined if the session may not see the key of the address. */
export const useKeyIfKnown = () => useContext(KeyContext);

export function useKey() {
  const found = useContext(KeyContext);
  if (!found) throw new Error('useKey needs a KeyProvider with a key of the session.');
  return found;
}

/** A client for the API key of the page. */
export function useRedpen(): Redpen {
  const { apiKeyId } = useKey().key;
  const { sessionId } = useSession().session;
  const user = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: live stores end with their session.
  return useMemo(() => clientFor({ apiKeyId }, user), [apiKeyId, user, sessionId]);
}

/** The member, as the author of comments and decisions. */
export function useUser(): Required<Pick<User, 'userId' | 'name'>> & Pick<User, 'email'> {
  const { accountId, name, email } = useSession().account;
  return useMemo(
    () => ({ userId: accountId, name, ...(email !== null && { email }) }),
    [accountId, name, email],
  );
}

/** A client for operations of the workspace of the page. */
export function useWorkspaceClient(): Redpen {
  const { workspaceId } = useKey().workspace;
  return useMemo(() => clientFor({ workspaceId }), [workspaceId]);
}

/** A client for operations of the session itself, such as its personal tokens. */
export const useSessionClient = (): Redpen => sessionClient;

const RANK: Record<Role, number> = { viewer: 0, editor: 1, owner: 2 };

/** True if the member may do what needs `role`. The service checks it again. */
export const useMay = (role: Role): boolean => RANK[useKey().workspace.role] >= RANK[role];
