import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { pageOf } from '../../../../lib/cursor.ts';
import { organizationId } from '../../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../../shapes/page-fields.ts';
import { contact } from '../../../../shapes/user.ts';
import { organizationUserGroupId } from '../../../../shapes/user-group.ts';
import { listGroupMembers } from '../../../../store/users/list-users.ts';

export default read({
  path: '/v2/organizations/usergroups/users/get',
  auth: 'apiKey',
  summary: 'List the members of a user group, ordered by id.',
  description:
    'Includes members without a profile; these have no name. A group that does not exist has no members.',
  data: z
    .object({
      organizationId,
      organizationUserGroupId,
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', organizationUserGroupId: 'design' }] }),
  result: z.array(contact),
  message: 'Organization user group users retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...group }, { db, caller, keyring }) {
    const list = ['group members', caller.apiKeyId, JSON.stringify(group)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      (page) => listGroupMembers(db, caller, group, page),
      (row) => row.position,
    );
    return { data: rows.map((row) => row.record), next };
  },
});
