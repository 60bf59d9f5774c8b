import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { named } from '../../../shapes/named.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { listOrganizationsOfUser } from '../../../store/users/list-organizations-of-user.ts';

export default read({
  path: '/v2/users/organizations/get',
  auth: 'apiKey',
  summary: 'List the organizations in which a user is granted something, ordered by id.',
  description:
    'Stored grants count that have not expired, on an organization, its folders and its documents. Grants in tokens do not count, nor do public documents, which every user of the API key may open.',
  data: z
    .object({ userId, pageSize: pageSize(1_000, 1_000), pageToken: pageToken.optional() })
    .meta({ examples: [{ userId: 'eve' }] }),
  result: z.array(
    named(
      'OrganizationOfUser',
      z.object({
        organizationId: z.string(),
        organizationName: z.string(),
        disabled: z.boolean(),
        accessRole: z
          .enum(['viewer', 'editor'])
          .nullable()
          .describe('The role on the organization itself; null if only folders or documents are granted.'),
        folders: z.number().int().describe('Number of its folders that are granted.'),
        documents: z.number().int().describe('Number of its documents that are granted.'),
      }),
    ),
  ),
  message: 'Organizations of the user retrieved successfully.',
  page: 'nextPageToken',

  async handle({ userId, pageSize, pageToken }, { db, caller, keyring }) {
    const list = ['organizations of user', caller.apiKeyId, userId];
    const now = Date.now();
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) =>
        listOrganizationsOfUser(db, caller, userId, { after: after && String(after[0]), limit, now }),
      ({ organizationId }) => [organizationId],
    );
    return { data: rows, next };
  },
});
