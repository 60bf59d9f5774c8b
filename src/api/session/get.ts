import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { consoleSession } from '../../shapes/identity/session.ts';
import { describeSession } from '../../store/identity/describe-session.ts';

export default read({
  path: '/v2/session/get',
  auth: 'account',
  isConsole: true,
  summary: 'Get the session of the console, with the workspaces that it opens.',
  description: 'A request without a valid session is UNAUTHENTICATED: the person must sign in.',
  data: z.object({}),
  dataOptional: true,
  result: consoleSession,
  message: 'Session retrieved successfully.',

  handle: (_data, { db, caller, settings }) => describeSession(db, caller.session, settings),
});
