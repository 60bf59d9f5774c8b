import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult } from '../../shapes/batch.ts';
import { isOnePlace, newUsers, ONE_PLACE, userResult, userScope } from '../../shapes/user.ts';
import { updateUsers } from '../../store/users/users.ts';

export default write({
  path: '/v2/users/update',
  auth: 'apiKey',
  summary: 'Update users of an organization, document or folder; fields that are not sent stay.',
  description:
    'What is known of a user is one record: it shows wherever the user does. A role is that of the place.',
  data: z
    .object({ ...userScope, users: newUsers })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme', users: [{ userId: 'eve', accessRole: 'viewer' }] }] }),
  result: batchResult.describe('By userId.'),
  message: 'User(s) processed successfully.',

  async handle({ users, ...place }, { tx, caller }) {
    const updated = await updateUsers(tx, caller, place, users);
    return Object.fromEntries(
      users.map(({ userId }) => [userId, userResult(userId, updated.has(userId) && 'User updated.')]),
    );
  },
});
