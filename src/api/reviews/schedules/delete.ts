import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { scheduleId } from '../../../shapes/id-fields.ts';
import { deleteSchedule } from '../../../store/agents/review-schedules.ts';

export default write({
  path: '/v2/reviews/schedules/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete a schedule of reviews.',
  description: 'Reviews that it has started go on.',
  data: z.strictObject({ scheduleId }).meta({ examples: [{ scheduleId: 'schedule_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ scheduleId: z.string() }),
  message: 'Schedule deleted successfully',
  failures: { NOT_FOUND: 'The schedule does not exist.' },

  async handle({ scheduleId }, { caller, tx }) {
    await deleteSchedule(tx, caller, scheduleId);
    return { scheduleId };
  },
});
