import { callSession } from './session-call.ts';
import { clientFor } from './session-fetch.ts';

/** Exchanges the code of a link for a session. Returns the error if that fails. */
export const startSession = (code: string): Promise<unknown> =>
  callSession(clientFor(undefined), '/v2/session/start', { code }).then(
    () => undefined,
    (error: unknown) => error,
  );
