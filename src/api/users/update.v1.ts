import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult } from '../../shapes/batch.ts';
import {
  isOnePlace,
  newUsersWithoutRole,
  ONE_PLACE,
  rolesWithoutEffect,
  userResult,
  userScope,
  withoutRoles,
} from '../../shapes/user.ts';
import { updateUsers } from '../../store/users/users.ts';

export default write({
  path: '/v1/users/update',
  auth: 'apiKey',
  summary: 'Update users of an organization, document or folder.',
  description: 'Roles are not changed.',
  data: z
    .object({ ...userScope, users: newUsersWithoutRole })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme', users: [{ userId: 'eve', name: 'Eve Adams' }] }] }),
  ignores: rolesWithoutEffect,
  result: batchResult.describe('Keyed by userId.'),
  message: 'User(s) processed successfully.',

  async handle({ users, ...place }, { tx, caller }) {
    const updated = await updateUsers(tx, caller, place, withoutRoles(users));
    return Object.fromEntries(
      users.map(({ userId }) => [userId, userResult(userId, updated.has(userId) && 'User updated.')]),
    );
  },
});
