import { z } from 'zod';
import { grantedTo, usersBefore } from '../../http/audit-targets.ts';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult } from '../../shapes/batch.ts';
import { isOnePlace, newUsers, ONE_PLACE, userResult, userScope } from '../../shapes/user.ts';
import { updateUsers } from '../../store/users/users.ts';

export default write({
  path: '/v2/users/update',
  auth: 'apiKey',
  summary: 'Update users of an organization, document or folder.',
  description:
    'Fields that are not sent keep their values. A user has a single record, which is the same in all places. Only the role belongs to the given place.',
  data: z
    .object({ ...userScope, users: newUsers })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme', users: [{ userId: 'eve', accessRole: 'viewer' }] }] }),
  result: batchResult.describe('Keyed by userId.'),
  message: 'User(s) processed successfully.',
  audit: {
    action: 'access.granted',
    applies: ({ users }) => users.some(({ accessRole }) => accessRole !== undefined),
    before: usersBefore,
    of: (data, items, _caller, before) => grantedTo(data, before, (id) => items[id]?.success ?? false),
  },

  async handle({ users, ...place }, { tx, caller }) {
    const updated = await updateUsers(tx, caller, place, users);
    return Object.fromEntries(
      users.map(({ userId }) => [userId, userResult(userId, updated.has(userId) && 'User updated.')]),
    );
  },
});
