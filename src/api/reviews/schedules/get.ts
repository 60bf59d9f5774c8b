import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { scheduleRecord } from '../../../review/reviews/show-schedule.ts';
import { reviewSchedule } from '../../../shapes/agents/review-schedule.ts';
import { scheduleId } from '../../../shapes/id-fields.ts';
import { requireSchedule } from '../../../store/agents/review-schedules.ts';

export default read({
  path: '/v2/reviews/schedules/get',
  auth: 'apiKey',
  summary: 'Get a schedule of reviews.',
  description:
    '`nextAt` says when it starts the next review, and `lastError` why it could not start the last.',
  data: z.strictObject({ scheduleId }).meta({ examples: [{ scheduleId: 'schedule_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ schedule: reviewSchedule }),
  message: 'Schedule fetched successfully',
  failures: { NOT_FOUND: 'The schedule does not exist.' },

  handle: async ({ scheduleId }, { db, caller }) => ({
    schedule: scheduleRecord(await requireSchedule(db, caller, scheduleId)),
  }),
});
