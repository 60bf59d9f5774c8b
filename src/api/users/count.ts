import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { isOnePlace, ONE_PLACE, userFilter, userScope } from '../../shapes/user.ts';
import { countUsers } from '../../store/users/list-users.ts';

export default read({
  path: '/v2/users/count',
  auth: 'apiKey',
  summary: 'Count the users of an organization, or of one document or folder.',
  description:
    'Counts users with a stored grant on exactly this place that has not expired: those of an organization do not include those of its documents. Grants in tokens do not count.',
  data: z
    .object({ ...userScope, ...userFilter })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme' }] }),
  result: z.object({ count: z.number().int() }),
  message: 'Users count retrieved successfully.',

  async handle({ userIds, organizationUserGroupIds, ...place }, { db, caller }) {
    return { count: await countUsers(db, caller, place, { userIds, groupIds: organizationUserGroupIds }) };
  },
});
