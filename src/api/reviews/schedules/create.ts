import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { newId } from '../../../lib/ids.ts';
import { requireNextStart } from '../../../review/reviews/next-start.ts';
import { scheduleRecord } from '../../../review/reviews/show-schedule.ts';
import { requireAllowed } from '../../../review/run/run-request.ts';
import { scheduledReview } from '../../../review/run/schedule-request.ts';
import { scheduledReviewData } from '../../../shapes/agents/review-fields.ts';
import { cron, reviewSchedule, scheduleName, timeZone } from '../../../shapes/agents/review-schedule.ts';
import { insertSchedule, MAX_SCHEDULES, type ScheduleRow } from '../../../store/agents/review-schedules.ts';

export default write({
  path: '/v2/reviews/schedules/create',
  auth: 'apiKey',
  summary: 'Start a review regularly, by a cron expression.',
  description:
    'A start that was missed while the service was down is made up for, once for all that were missed. A start that is not possible, such as one on a deleted document, is noted in `lastError`, and the next one is tried again.',
  data: z
    .strictObject({
      name: scheduleName.default(''),
      cron,
      timeZone: timeZone.default('UTC'),
      enabled: z.boolean().default(true),
      review: scheduledReviewData,
    })
    .meta({
      examples: [
        {
          name: 'Every Monday morning',
          cron: '0 7 * * 1',
          timeZone: 'Europe/Berlin',
          review: { urls: ['https://example.com/'], preset: 'launch', crossPageExecute: true },
        },
      ],
    }),
  result: z.object({ schedule: reviewSchedule }),
  message: 'Schedule created successfully',
  failures: {
    NOT_FOUND: 'An agent, the group or the document does not exist.',
    FAILED_PRECONDITION: 'An agent is disabled.',
    RESOURCE_EXHAUSTED: `The API key already has ${MAX_SCHEDULES} schedules.`,
  },

  async handle({ review, ...fields }, { caller, tx, settings }) {
    requireAllowed(review, settings, ['review']);
    const now = Date.now();
    const row: ScheduleRow = {
      apiKeyId: caller.apiKeyId,
      scheduleId: newId('schedule'),
      ...fields,
      ...(await scheduledReview(tx, caller, review)),
      nextAt: requireNextStart(fields, now),
      lastAt: null,
      lastReviewId: null,
      lastError: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertSchedule(tx, row);
    return { schedule: scheduleRecord(row) };
  },
});
