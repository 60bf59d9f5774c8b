import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { organizationId } from '../../shapes/id-fields.ts';
import { organization } from '../../shapes/organization.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { listOrganizations } from '../../store/documents/organizations.ts';

export default read({
  path: ['/v2/organizations/get', '/v1/organizations/get'],
  auth: 'apiKey',
  summary: 'List organizations, oldest first.',
  description:
    'Ids that do not exist are left out. Metadata is returned beside the other fields of an organization.',
  data: z
    .object({
      organizationIds: z
        .array(organizationId)
        .min(1)
        .max(30)
        .optional()
        .describe('Returns only the entries with these ids.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationIds: ['acme'] }] }),
  result: z.array(organization),
  message: 'Organization(s) retrieved successfully.',
  page: 'nextPageToken',

  async handle({ organizationIds, pageSize, pageToken }, { db, caller, keyring }) {
    const list = ['organizations', caller.apiKeyId, JSON.stringify(organizationIds ?? [])];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after: position, limit }) => {
        const after = position && { createdAt: Number(position[0]), organizationId: String(position[1]) };
        return listOrganizations(db, caller, { organizationIds, after, limit });
      },
      (row) => [row.createdAt, row.organizationId],
    );
    return { data: rows.map((row) => row.record), next };
  },
});
