import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { scheduleRecord } from '../../../review/reviews/show-schedule.ts';
import { reviewSchedule } from '../../../shapes/agents/review-schedule.ts';
import { listSchedules } from '../../../store/agents/review-schedules.ts';

export default read({
  path: '/v2/reviews/schedules/list',
  auth: 'apiKey',
  summary: 'List the schedules of reviews, oldest first.',
  description: 'Returns all of them: an API key has at most 100.',
  data: z.strictObject({}).meta({ examples: [{}] }),
  result: z.object({ schedules: z.array(reviewSchedule) }),
  message: 'Schedules listed successfully',

  handle: async (_data, { db, caller }) => ({
    schedules: (await listSchedules(db, caller)).map(scheduleRecord),
  }),
});
