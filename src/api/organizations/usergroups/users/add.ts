import { z } from 'zod';
import { succeeded } from '../../../../http/audit-targets.ts';
import { write } from '../../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../../shapes/batch.ts';
import { organizationId, userId } from '../../../../shapes/id-fields.ts';
import { memberResults, NO_SUCH_GROUP, organizationUserGroupId } from '../../../../shapes/user-group.ts';
import { addGroupMembers } from '../../../../store/users/user-groups.ts';

export default write({
  path: ['/v2/organizations/usergroups/users/add', '/v1/organizations/usergroups/users/add'],
  auth: 'apiKey',
  summary: 'Add users to a user group.',
  description: 'They need not exist yet.',
  data: z
    .object({ organizationId, organizationUserGroupId, userIds: z.array(userId).min(1).max(MAX_BATCH) })
    .meta({
      examples: [{ organizationId: 'acme', organizationUserGroupId: 'design', userIds: ['eve', 'bob'] }],
    }),
  result: memberResults,
  message: 'Added organization users to group successfully.',
  audit: {
    action: 'user_group.member_added',
    of: ({ organizationId, organizationUserGroupId }, items) =>
      succeeded(items).map((id) => ({ id, organizationId, after: { organizationUserGroupId } })),
  },

  async handle({ userIds, ...group }, { tx, caller }) {
    const { organizationUserGroupId } = group;
    const success = await addGroupMembers(tx, caller, group, userIds);
    const message = success ? 'User added to organization user group.' : NO_SUCH_GROUP;
    return Object.fromEntries(
      userIds.map((userId) => [userId, { success, organizationUserGroupId, message }]),
    );
  },
});
