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
  summary: 'Compute patterns, profiles and alerts from judgments now.',
  description:
    'The same runs automatically every hour if judgments changed. Up to 2,000 judgments are processed within the request; with more, or if a run is already in progress, the work is done in the background and `started` is returned.',
  data: z
    .object({
      force: z.boolean().default(false).describe('Also runs if no judgment has changed since the last run.'),
    })
    .meta({ examples: [{ force: true }] }),
  result: z.object({
    started: z.literal(true).optional().describe('The work is done in the background.'),
    patterns: z.number().optional().describe('Number of patterns in the scopes whose judgments changed.'),
    profiles: z.number().optional().describe('Number of users with a profile.'),
    alerts: z.number().optional().describe('Number of alerts that were raised.'),
    judgmentsRead: z
      .number()
      .optional()
      .describe('Number of judgments that were read; 0 if nothing changed.'),
    startedAt: z.number().optional().describe('Epoch milliseconds.'),
    completedAt: z.number().optional(),
  }),
  envelope: 'bare',
  message: '',
  failures: { ABORTED: 'The judgments changed while they were read, or another process took over.' },

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
