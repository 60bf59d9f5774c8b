import { z } from 'zod';
import { succeeded } from '../../../../http/audit-targets.ts';
import { write } from '../../../../http/endpoint.ts';
import { withOtherProblems } from '../../../../shapes/all-problems.ts';
import { MAX_BATCH } from '../../../../shapes/batch.ts';
import { organizationId, userId } from '../../../../shapes/id-fields.ts';
import { memberResults, NO_SUCH_GROUP, organizationUserGroupId } from '../../../../shapes/user-group.ts';
import { removeGroupMembers } from '../../../../store/users/user-groups.ts';

export default write({
  path: ['/v2/organizations/usergroups/users/delete', '/v1/organizations/usergroups/users/delete'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Remove users from a user group.',
  description:
    'Their access to the organization and its documents remains. Users who are not members are reported, and all others are removed. Raises `user_group.user_delete` for each removed member.',
  data: z
    .object({
      organizationId,
      organizationUserGroupId,
      userIds: z.array(userId).min(1).max(MAX_BATCH).optional(),
      deleteAll: z
        .boolean()
        .default(false)
        .describe('If true, removes all members; userIds is then not needed.'),
    })
    .refine(({ userIds, deleteAll }) => (userIds === undefined) === deleteAll, {
      error: 'Either userIds or deleteAll: true must be sent.',
      ...withOtherProblems,
    })
    .meta({ examples: [{ organizationId: 'acme', organizationUserGroupId: 'design', userIds: ['eve'] }] }),
  result: memberResults,
  message: 'Deleted users from group successfully.',
  audit: {
    action: 'user_group.member_removed',
    of: ({ organizationId, organizationUserGroupId }, items) =>
      succeeded(items).map((id) => ({ id, organizationId, before: { organizationUserGroupId } })),
  },

  async handle({ userIds, deleteAll: _, ...group }, { tx, caller }) {
    const { organizationUserGroupId } = group;
    const removed = await removeGroupMembers(tx, caller, group, userIds);
    return Object.fromEntries(
      (userIds ?? [...(removed ?? [])]).map((userId) => {
        const success = removed?.has(userId) ?? false;
        const message = success
          ? 'User deleted from organization user group.'
          : removed
            ? 'User does not exist in organization user group.'
            : NO_SUCH_GROUP;
        return [userId, { success, organizationUserGroupId, message }];
      }),
    );
  },
});
