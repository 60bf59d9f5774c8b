import { z } from 'zod';
import { folderOf, inPlace, succeeded, usersBefore } from '../../http/audit-targets.ts';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult, MAX_BATCH } from '../../shapes/batch.ts';
import { userId } from '../../shapes/id-fields.ts';
import { isOnePlace, ONE_PLACE, userResult, userScope } from '../../shapes/user.ts';
import { removeUsers } from '../../store/users/users.ts';

export default write({
  path: ['/v2/users/delete', '/v1/users/delete'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Remove users from an organization with all their grants in it, or from one document or folder.',
  description:
    'Users who do not belong to the place are reported, and all others are removed. From an organization, they also leave its user groups. What they wrote and their profiles remain: users/data/delete erases these. Raises `user.delete` for each removed user.',
  data: z
    .object({ ...userScope, userIds: z.array(userId).min(1).max(MAX_BATCH) })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme', userIds: ['eve', 'bob'] }] }),
  result: batchResult.describe('Keyed by userId.'),
  message: 'User(s) deleted successfully.',
  audit: {
    action: 'access.revoked',
    before: usersBefore,
    of: (place, items) => succeeded(items).map((id) => ({ id, ...inPlace(place), after: folderOf(place) })),
  },

  async handle({ userIds, ...place }, { tx, caller }) {
    const removed = await removeUsers(tx, caller, place, userIds);
    return Object.fromEntries(
      userIds.map((userId) => [userId, userResult(userId, removed.has(userId) && 'User removed.')]),
    );
  },
});
