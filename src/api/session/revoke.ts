import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { notFound } from '../../lib/errors.ts';
import { sessionId } from '../../shapes/identity/member.ts';
import { endSession } from '../../store/identity/sessions.ts';

export default write({
  path: '/v2/session/revoke',
  auth: 'account',
  isConsole: true,
  availableWhenFull: true,
  summary: "End one of the person's sessions of the console.",
  description: 'Takes effect at once, in all processes of the service.',
  data: z.object({ sessionId }).meta({ examples: [{ sessionId: 'session_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.undefined(),
  message: 'Session ended.',
  failures: { NOT_FOUND: 'The person has no such session.' },

  async handle({ sessionId }, { tx, caller, revoke }) {
    if (!(await endSession(tx, caller.session.accountId, sessionId))) throw notFound('Session not found.');
    revoke(sessionId);
    return undefined;
  },
});
