import { type Reply, send } from '../service/harness.ts';

interface UserOptions {
  userId?: string;
  name?: string;
  email?: string;
  isAdmin?: boolean;
  resources?: object[];
}

export interface TestUser {
  userId: string;
  token: string;
  headers: { authorization: string };
  /** Calls an operation as this user. */
  post(path: string, data?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** An end user with a token that the backend of `workspace` has generated. */
export async function newUserToken(
  workspace: { post(path: string, data: unknown): Promise<Reply> },
  { userId = 'ada', name = 'Ada', email = 'ada@example.com', isAdmin = false, resources = [] }: UserOptions,
): Promise<TestUser> {
  const reply = await workspace.post('/v2/auth/generate_token', {
    userId,
    userProperties: { name, email, isAdmin },
    permissions: { resources },
  });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  const { token } = reply.body.result.data;
  const headers = { authorization: `Bearer ${token}` };
  return {
    userId,
    token,
    headers,
    post: (path, data = {}, more = {}) => send(path, { data }, { ...headers, ...more }),
  };
}
