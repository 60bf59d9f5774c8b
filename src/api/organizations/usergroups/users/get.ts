import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../../lib/cursor.ts';
import { organizationId } from '../../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../../shapes/page-fields.ts';
import { contact } from '../../../../shapes/user.ts';
import { organizationUserGroupId } from '../../../../shapes/user-group.ts';
import { listGroupMembers } from '../../../../store/users/list-users.ts';

export default read({
  path: '/v2/organizations/usergroups/users/get',
  auth: 'apiKey',
  summary: 'List the members of a user group, in the order of their ids.',
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
    const after = pageToken === undefined ? undefined : openCursor(keyring, list, pageToken);
    const rows = await listGroupMembers(db, caller, group, { after, limit: pageSize + 1 });
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return {
      data: rows.slice(0, pageSize).map((row) => row.record),
      next: last && sealCursor(keyring, list, last.position),
    };
  },
});
