import { z } from 'zod';
import { succeeded } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { md5 } from '../../../lib/ids.ts';
import { batchResult, MAX_BATCH } from '../../../shapes/batch.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { NO_SUCH_GROUP, organizationUserGroupId } from '../../../shapes/user-group.ts';
import { deleteUserGroups } from '../../../store/users/user-groups.ts';

export default write({
  path: '/v2/organizations/usergroups/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete user groups.',
  description: 'Their members remain users.',
  data: z
    .object({
      organizationId,
      organizationUserGroupIds: z.array(organizationUserGroupId).min(1).max(MAX_BATCH),
    })
    .meta({ examples: [{ organizationId: 'acme', organizationUserGroupIds: ['design'] }] }),
  result: batchResult.describe('Keyed by groupId.'),
  message: 'Organization User Groups deleted successfully.',
  audit: {
    action: 'user_group.deleted',
    of: ({ organizationId }, items) => succeeded(items).map((id) => ({ id, organizationId })),
  },

  async handle({ organizationId, organizationUserGroupIds }, { tx, caller }) {
    const deleted = await deleteUserGroups(tx, caller, organizationId, organizationUserGroupIds);
    return Object.fromEntries(
      organizationUserGroupIds.map((groupId) => {
        const success = deleted.has(groupId);
        const message = success ? 'Organization user group deleted.' : NO_SUCH_GROUP;
        return [groupId, { success, id: md5(groupId), message }];
      }),
    );
  },
});
