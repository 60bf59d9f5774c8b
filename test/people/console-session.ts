import { type Reply, send, type TestWorkspace, testApp } from '../service/harness.ts';

/** A browser that is signed in to the console. */
export interface ConsoleSession {
  cookie: string;
  /** The headers that a page of the console sends. */
  headers: Record<string, string>;
  /** The answer to session/start. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  data: any;
  /** Calls an operation for an API key. */
  post(path: string, data?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Calls an operation for a workspace. */
  postAsWorkspace(path: string, data?: unknown): Promise<Reply>;
}

/** What every request of a page of the service itself carries. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** The pair of name and value in the cookie that an answer sets. */
export function cookieOf({ headers }: Reply): string {
  return String(headers['set-cookie']).split(';')[0]!;
}

/** Signs in, by default with the credentials of the workspace: as its owner. */
export async function signIn(
  { workspaceId, apiKeyId, authToken }: TestWorkspace,
  credentials: object = { workspaceId, workspaceAuthToken: authToken },
): Promise<ConsoleSession> {
  const reply = await send('/v2/session/start', { data: credentials }, SAME_ORIGIN);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  const cookie = cookieOf(reply);
  const headers = { ...SAME_ORIGIN, cookie, 'x-redpen-key': apiKeyId, 'x-redpen-workspace': workspaceId };
  return {
    cookie,
    headers,
    data: reply.body.result.data,
    post: (path, data = {}, more = {}) => send(path, { data }, { ...headers, ...more }),
    postAsWorkspace: (path, data = {}) => send(path, { data }, headers),
  };
}

/** Gives the member of a session another role. */
export async function setRole({ data }: ConsoleSession, role: 'owner' | 'editor' | 'viewer'): Promise<void> {
  const { deps, authenticator } = await testApp();
  const { accountId } = data.account;
  await deps.db.updateTable('members').set({ role }).where('accountId', '=', accountId).execute();
  authenticator.forget(accountId);
}
