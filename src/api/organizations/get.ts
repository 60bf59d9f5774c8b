import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../lib/cursor.ts';
import { organizationId } from '../../shapes/id-fields.ts';
import { organization } from '../../shapes/organization.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { listOrganizations } from '../../store/documents/organizations.ts';

export default read({
  path: ['/v2/organizations/get', '/v1/organizations/get'],
  auth: 'apiKey',
  summary: 'List organizations, the oldest first.',
  data: z
    .object({
      organizationIds: z.array(organizationId).min(1).max(30).optional().describe('Only these.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationIds: ['acme'] }] }),
  result: z.array(organization),
  message: 'Organization(s) retrieved successfully.',
  page: 'nextPageToken',

  async handle({ organizationIds, pageSize, pageToken }, { db, caller, keyring }) {
    const list = ['organizations', caller.apiKeyId, JSON.stringify(organizationIds ?? [])];
    const [createdAt, lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const after =
      lastId === undefined ? undefined : { createdAt: Number(createdAt), organizationId: String(lastId) };
    const rows = await listOrganizations(db, caller, { organizationIds, after, limit: pageSize + 1 });
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return {
      data: rows.slice(0, pageSize).map((row) => row.record),
      next: last && sealCursor(keyring, list, [last.createdAt, last.organizationId]),
    };
  },
});
