import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { organizationId, userId } from '../../../shapes/id-fields.ts';
import { startDeletion } from '../../../store/privacy/data-deletions.ts';

const message = 'Data deletion process has been initiated.';

export default write({
  path: '/v2/users/data/delete',
  auth: 'apiKey',
  role: 'owner',
  availableWhenFull: true,
  summary: 'Erase the data of users: what they wrote, their profiles, and their names in content of others.',
  description:
    'Runs in the background. Comments of other users remain. A thread that an erased user began is anonymized if others replied, and deleted otherwise. A profile is deleted once its user has no access anywhere. Free text in which others mention the users is not searched.',
  data: z
    .object({
      userIds: z.array(userId).min(1).max(100),
      organizationIds: z
        .array(organizationId)
        .min(1)
        .max(MAX_BATCH)
        .optional()
        .describe('Erases only in these organizations, which is faster. Defaults to all.'),
    })
    .meta({ examples: [{ userIds: ['eve'], organizationIds: ['acme'] }] }),
  result: z.object({
    status: z.literal('success'),
    message: z.string(),
    data: z.object({
      jobId: z.string(),
      tasksCount: z.number().int().describe('Number of parts of the work.'),
    }),
    statusCode: z.literal(202),
  }),
  envelope: 'raw',
  message,
  audit: {
    action: 'user_data.erasure_started',
    of: ({ userIds, organizationIds }) =>
      [...new Set(userIds)].map((id) => ({ id, after: { organizationIds } })),
  },

  async handle({ userIds, organizationIds }, { tx, jobs, caller }) {
    const data = await startDeletion(tx, jobs, caller, userIds, organizationIds);
    return { status: 'success' as const, message, data, statusCode: 202 as const };
  },
});
