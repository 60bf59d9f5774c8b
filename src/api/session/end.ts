import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { endSession } from '../../store/identity/sessions.ts';

export default write({
  path: '/v2/session/end',
  auth: 'account',
  isConsole: true,
  availableWhenFull: true,
  summary: 'End the session of the console.',
  description:
    'Removes the cookie. Other sessions of the person continue. An `idempotency-key` has no effect.',
  data: z.object({}),
  dataOptional: true,
  result: z.undefined(),
  message: 'Session ended.',

  async handle(_data, { tx, caller, revoke, keepSession }) {
    const { accountId, sessionId } = caller.session;
    await endSession(tx, accountId, sessionId);
    revoke(sessionId);
    keepSession(undefined);
    return undefined;
  },
});
