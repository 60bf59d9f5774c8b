import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { requireNextStart } from '../../../review/reviews/next-start.ts';
import { scheduleRecord } from '../../../review/reviews/show-schedule.ts';
import { requireAllowed } from '../../../review/run/run-request.ts';
import { scheduledReview } from '../../../review/run/schedule-request.ts';
import { scheduledReviewData } from '../../../shapes/agents/review-fields.ts';
import { cron, reviewSchedule, scheduleName, timeZone } from '../../../shapes/agents/review-schedule.ts';
import { scheduleId } from '../../../shapes/id-fields.ts';
import { changeSchedule, lockSchedule } from '../../../store/agents/review-schedules.ts';

export default write({
  path: '/v2/reviews/schedules/update',
  auth: 'apiKey',
  summary: 'Change a schedule of reviews, or enable or disable it.',
  description:
    'Fields that are left out keep their values; `review` is replaced as a whole. What was missed while the schedule was disabled is not made up for.',
  data: z
    .strictObject({
      scheduleId,
      name: scheduleName.optional(),
      cron: cron.optional(),
      timeZone: timeZone.optional(),
      enabled: z.boolean().optional(),
      review: scheduledReviewData.optional(),
    })
    .meta({ examples: [{ scheduleId: 'schedule_1a2B3cD4eF5gH6jK7mN8', enabled: false }] }),
  result: z.object({ schedule: reviewSchedule }),
  message: 'Schedule updated successfully',
  failures: {
    NOT_FOUND: 'The schedule, an agent, the group or the document does not exist.',
    FAILED_PRECONDITION: 'An agent is disabled.',
  },

  async handle({ scheduleId, review, ...fields }, { caller, tx, settings }) {
    if (review) requireAllowed(review, settings, ['review']);
    const row = await lockSchedule(tx, caller, scheduleId);
    const now = Date.now();
    const { name = row.name, cron = row.cron, timeZone = row.timeZone, enabled = row.enabled } = fields;
    const isSameClock = cron === row.cron && timeZone === row.timeZone && enabled === row.enabled;
    const change = {
      ...{ name, cron, timeZone, enabled },
      nextAt: isSameClock ? row.nextAt : requireNextStart({ cron, timeZone }, now),
      ...(review && (await scheduledReview(tx, caller, review))),
    };
    return { schedule: scheduleRecord(await changeSchedule(tx, row, change, now)) };
  },
});
