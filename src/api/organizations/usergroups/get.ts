import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { organizationUserGroupId, userGroup } from '../../../shapes/user-group.ts';
import { listUserGroups } from '../../../store/users/user-groups.ts';

export default read({
  path: '/v2/organizations/usergroups/get',
  auth: 'apiKey',
  summary: 'List the user groups of an organization, ordered by id.',
  description:
    'Returns the number of members, not the members themselves, which organizations/usergroups/users/get lists. Ids that do not exist are left out.',
  data: z
    .object({
      organizationId,
      organizationUserGroupIds: z
        .array(organizationUserGroupId)
        .min(1)
        .max(30)
        .optional()
        .describe('Returns only the entries with these ids.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme' }] }),
  result: z.array(userGroup),
  message: 'Organization User Groups retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    const { organizationId, organizationUserGroupIds: groupIds } = asked;
    const list = ['user groups', caller.apiKeyId, JSON.stringify(asked)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) =>
        listUserGroups(db, caller, { organizationId, groupIds, after: after && String(after[0]), limit }),
      (row) => [row.organizationUserGroupId],
    );
    return { data: rows, next };
  },
});
