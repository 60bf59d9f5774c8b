import type { Operations, Redpen } from '@redpen/client';

/** Operations for which the client has no names. */
type SessionPath = Extract<
  keyof Operations,
  | `/v2/${'session' | 'account' | 'tokens' | 'oauth/request' | 'workspace/token'}/${string}`
  | '/v2/workspace/update'
>;

/** Calls an operation on sessions, the account, personal tokens, requests of assistants, or the name or token of a workspace. */
export async function callSession<P extends SessionPath>(
  redpen: Redpen,
  path: P,
  data: Operations[P]['data'],
  signal?: AbortSignal,
): Promise<Operations[P]['result']> {
  return (await redpen.connection.send(path, data, { signal })).result.data;
}
