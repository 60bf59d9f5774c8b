import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { requireDeletion } from '../../../../store/privacy/data-deletions.ts';

export default read({
  path: '/v2/users/data/delete/status',
  auth: 'apiKey',
  summary: 'Get the progress of a user data deletion.',
  description:
    'users/data/delete returns the `jobId`. When the deletion is completed, the event `user.data_delete` is raised.',
  data: z
    .object({ jobId: z.string().min(1).max(200) })
    .meta({ examples: [{ jobId: 'deletion_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({
    isDeleteCompleted: z.boolean(),
    tasksLeft: z.number().int(),
    lastTaskCompletedTime: z
      .number()
      .nullable()
      .describe('Epoch milliseconds; null before the first task is completed.'),
  }),
  message: 'Data fetched successfully.',
  failures: { NOT_FOUND: 'The job does not exist.' },

  async handle({ jobId }, { db, caller }) {
    const { tasksLeft, lastTaskCompletedAt } = await requireDeletion(db, caller, jobId);
    return { isDeleteCompleted: tasksLeft === 0, tasksLeft, lastTaskCompletedTime: lastTaskCompletedAt };
  },
});
