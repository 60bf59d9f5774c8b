import { z } from 'zod';
import { requireReadableExecution } from '../../../access/readable-executions.ts';
import { read } from '../../../http/endpoint.ts';
import { followRun } from '../../../review/run/follow-run.ts';
import { KINDS_FOR_USERS } from '../../../review/run/show-to-user.ts';
import { logEvent } from '../../../shapes/agents/execution-record.ts';
import { executionId } from '../../../shapes/id-fields.ts';

export default read({
  path: '/v2/agents/execution/events',
  auth: 'apiKeyOrUser',
  summary: 'Read the log of a run while it is running.',
  description:
    'Send `next` of the previous response as `after` until `done` is true. With `waitMs` the request waits until there are new events. A user gets the lines about phases, pages and the result, without `data`.',
  data: z
    .strictObject({
      executionId,
      after: z
        .string()
        .min(1)
        .max(100)
        .nullish()
        .describe('`next` of the previous response. Defaults to the beginning.'),
      waitMs: z
        .number()
        .int()
        .min(0)
        .max(30_000)
        .default(0)
        .describe('Maximum time to wait for new events, in milliseconds.'),
      limit: z.number().int().min(1).max(500).default(100),
    })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', waitMs: 20_000 }] }),
  result: z.object({
    events: z.array(logEvent),
    next: z.string().nullable().describe('Position to continue from; null if nothing has been returned yet.'),
    done: z.boolean().describe('True if the run has ended and all its events have been returned.'),
  }),
  message: 'Execution events fetched successfully',
  failures: {
    NOT_FOUND: 'The execution does not exist.',
    INVALID_ARGUMENT: 'after is not an event of the execution.',
  },

  async handle({ executionId, after, waitMs, limit }, { caller, db, clientSignal, releaseTurn }) {
    await requireReadableExecution(db, caller, executionId);
    const kinds = caller.user && KINDS_FOR_USERS;
    const lines = await followRun(db, caller, executionId, { after, waitMs, limit, kinds }, () => {
      releaseTurn();
      return clientSignal();
    });
    return caller.user ? { ...lines, events: lines.events.map((line) => ({ ...line, data: {} })) } : lines;
  },
});
