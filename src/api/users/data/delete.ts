import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { organizationId, userId } from '../../../shapes/id-fields.ts';
import { startDeletion } from '../../../store/privacy/data-deletions.ts';

const message = 'Data deletion process has been initiated.';

export default write({
  path: '/v2/users/data/delete',
  auth: 'apiKey',
  storesNothing: true,
  summary: 'Forget users, in the background: what they wrote and are, and their names in what others wrote.',
  description:
    'Comments of others survive. A thread that one of the users began and others answered stays, without a name; one without comments of others is deleted. A profile goes once its user has no access anywhere. Words in which others write about the users are not found.',
  data: z
    .object({
      userIds: z.array(userId).min(1).max(100),
      organizationIds: z
        .array(organizationId)
        .min(1)
        .max(MAX_BATCH)
        .optional()
        .describe('Only these are gone through, which is faster. By default all.'),
    })
    .meta({ examples: [{ userIds: ['eve'], organizationIds: ['acme'] }] }),
  result: z.object({
    status: z.literal('success'),
    message: z.string(),
    data: z.object({ jobId: z.string(), tasksCount: z.number().int().describe('The pieces of the work.') }),
    statusCode: z.literal(202),
  }),
  envelope: 'raw',
  message,

  async handle({ userIds, organizationIds }, { tx, jobs, caller }) {
    const data = await startDeletion(tx, jobs, caller, userIds, organizationIds);
    return { status: 'success' as const, message, data, statusCode: 202 as const };
  },
});
