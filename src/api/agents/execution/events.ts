import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { followRun } from '../../../review/run/follow-run.ts';
import { logEvent } from '../../../shapes/agents/execution-record.ts';
import { executionId } from '../../../shapes/id-fields.ts';

export default read({
  path: '/v2/agents/execution/events',
  auth: 'apiKey',
  summary: 'Read what a run notes on its way, while it is on.',
  description:
    'Ask with the `next` of the last answer as `after` until `done` is true. With `waitMs` the answer waits for something to tell.',
  data: z
    .strictObject({
      executionId,
      after: z
        .string()
        .min(1)
        .max(100)
        .nullish()
        .describe('`next` of the last answer; by default from the start.'),
      waitMs: z
        .number()
        .int()
        .min(0)
        .max(30_000)
        .default(0)
        .describe('How long to wait, in milliseconds, where there is nothing new yet.'),
      limit: z.number().int().min(1).max(500).default(100),
    })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', waitMs: 20_000 }] }),
  result: z.object({
    events: z.array(logEvent),
    next: z.string().nullable().describe('Where to go on; null where nothing has been told yet.'),
    done: z.boolean().describe('Whether the run has ended and all of it was told.'),
  }),
  message: 'Execution events fetched successfully',
  failures: { NOT_FOUND: 'No such execution.', INVALID_ARGUMENT: 'after is not an event of the execution.' },

  async handle({ executionId, after, waitMs, limit }, { caller, db, clientSignal, releaseTurn }) {
    return await followRun(db, caller, executionId, { after, waitMs, limit }, () => {
      releaseTurn();
      return clientSignal();
    });
  },
});
