import type { Operations, Redpen } from '@redpen/client';

/** Operations that only take the session of the console; the client has no names for them. */
type SessionPath = Extract<keyof Operations, `/v2/${'session' | 'account' | 'tokens'}/${string}`>;

/** Calls an operation on sessions, the account or personal tokens. */
export async function callSession<P extends SessionPath>(
  redpen: Redpen,
  path: P,
  data: Operations[P]['data'],
  signal?: AbortSignal,
): Promise<Operations[P]['result']> {
  return (await redpen.connection.send(path, data, { signal })).result.data;
}
