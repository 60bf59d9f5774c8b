import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { writeAudit } from '../../../report/audit/write-audit.ts';
import { auditFilter } from '../../../shapes/audit/audit-entry.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { pageAudit, presentAudit } from '../../../store/audit/list-audit.ts';

export default read({
  path: '/v2/workspace/audit/export',
  auth: 'workspace',
  summary: 'Export a time range of the audit log, as NDJSON or CSV, the oldest entries first.',
  description:
    'Each page has a part of the file: the texts of all pages in their order are the whole file. NDJSON has an entry in each line, with the digests from which its `hash` follows; CSV begins with a line of names, and is for spreadsheets. The first page is itself recorded, as `audit.exported`.',
  data: z
    .object({
      format: z.enum(['ndjson', 'csv']).default('ndjson'),
      ...auditFilter,
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ format: 'csv', from: 1_767_225_600_000, to: 1_769_904_000_000 }] }),
  dataOptional: true,
  result: z.object({
    format: z.enum(['ndjson', 'csv']),
    count: z.int().describe('Number of entries in this part.'),
    text: z.string(),
  }),
  message: 'Audit log exported successfully.',
  page: 'nextPageToken',
  isHeavy: true,
  audit: {
    action: 'audit.exported',
    of: ({ pageToken, format, from, to }, _result, { workspaceId }) =>
      pageToken === undefined ? { id: workspaceId, after: { format, from, to } } : [],
  },

  async handle({ format, pageSize, pageToken, ...range }, { db, caller: { workspaceId }, keyring }) {
    const { rows, next } = await pageOf(
      { keyring, list: ['audit export', workspaceId, format], pageToken, pageSize },
      ({ after, limit }) =>
        pageAudit(
          db,
          workspaceId,
          range,
          { after: after && { at: Number(after[0]), entryId: String(after[1]) }, limit },
          'asc',
        ),
      (row) => [row.at, row.entryId],
    );
    const entries = rows.map((row) => ({
      ...presentAudit(row),
      actorDigest: row.actorDigest,
      targetDigest: row.targetDigest,
    }));
    const text = writeAudit(format, entries, { isFirst: pageToken === undefined });
    return { data: { format, count: rows.length, text }, next };
  },
});
