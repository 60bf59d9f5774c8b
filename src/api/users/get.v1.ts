import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { contact, userFilter } from '../../shapes/user.ts';
import { listUsers } from '../../store/users/list-users.ts';

export default read({
  path: '/v1/users/get',
  auth: 'apiKey',
  summary: 'List the users of an organization or of one document, without their roles.',
  data: z
    .object({
      organizationId,
      documentId: documentId.optional().describe('The users of this document.'),
      ...userFilter,
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', userIds: ['eve'] }] }),
  result: z.array(contact.omit({ accessRole: true })),
  message: 'User(s) retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, ...asked }, { db, caller, keyring }) {
    const { userIds, organizationUserGroupIds, ...place } = asked;
    const list = ['users v1', caller.apiKeyId, JSON.stringify(asked)];
    const filter = { userIds, groupIds: organizationUserGroupIds };
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      (page) => listUsers(db, caller, place, filter, page),
      (row) => row.position,
    );
    return { data: rows.map(({ record: { accessRole, ...record } }) => record), next };
  },
});
