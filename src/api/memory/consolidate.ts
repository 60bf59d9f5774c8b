import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { ApiError, LeaseLost } from '../../lib/errors.ts';
import { consolidate } from '../../memory/insights/consolidate.ts';
import { countUpTo } from '../../store/memory/insight-queries.ts';

/** Beyond this number of judgments, consolidation takes too long for a request and becomes a job. */
const AT_ONCE = 2_000;

export default call({
  path: '/v2/memory/consolidate',
  auth: 'apiKey',
  isHeavy: true,
  summary: 'Work out patterns, profiles and alerts from judgments now.',
  description:
    'This happens by itself every hour where judgments changed. Of up to 2000 judgments the answer tells what was done; with more it is done in the background, as it is where it is under way already.',
  data: z
    .object({
      force: z.boolean().default(false).describe('Also where no judgment changed since the last time.'),
    })
    .meta({ examples: [{ force: true }] }),
  result: z.object({
    started: z.literal(true).optional().describe('It is done in the background.'),
    patterns: z.number().optional().describe('How many stand, in the places whose judgments changed.'),
    profiles: z.number().optional().describe('How many people have one.'),
    alerts: z.number().optional().describe('How many were raised.'),
    judgmentsRead: z.number().optional().describe('0 where nothing changed.'),
    startedAt: z.number().optional().describe('Epoch milliseconds.'),
    completedAt: z.number().optional(),
  }),
  envelope: 'bare',
  message: '',
  failures: { ABORTED: 'What was read no longer holds, or another process took over.' },

  async handle({ force }, { db, caller, jobs, transaction }) {
    if ((await countUpTo(db, caller, AT_ONCE + 1)) > AT_ONCE) {
      const key = { workspaceId: caller.workspaceId, apiKeyId: caller.apiKeyId };
      await transaction((tx) => jobs.enqueue(tx, 'memory.consolidate', { key, force }));
      return { started: true as const };
    }
    const log = { info() {} };
    const done = await consolidate({ db, log }, caller, { force }).catch((error: unknown) => {
      if (error instanceof LeaseLost) throw new ApiError('ABORTED', `${error.message} Try again.`);
      throw error;
    });
    return done ?? { started: true as const };
  },
});
