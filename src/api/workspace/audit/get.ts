import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { auditAction, auditEntry, auditFilter } from '../../../shapes/audit/audit-entry.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { pageAudit, presentAudit } from '../../../store/audit/list-audit.ts';

const id = z.string().min(1).max(512);

export default read({
  path: '/v2/workspace/audit/get',
  auth: 'workspace',
  summary: 'List the audit log of the workspace: who did what from where, the newest first.',
  description:
    'All filters that are sent must match. An entry is written in the transaction of its act, so that there is neither without the other, and gets its place in the chain of hashes a few seconds later. workspace/audit/verify says whether the chain is whole.',
  data: z
    .object({
      ...auditFilter,
      actions: z.array(auditAction).min(1).max(100).optional(),
      actorId: id.optional().describe('Entries of this actor, as `actor.id` names it.'),
      targetId: id.optional().describe('Entries about this target, as `target.id` names it.'),
      apiKey: apiKeyId.optional().describe('Only entries about this API key and within it.'),
      pageSize: pageSize(200, 50),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ actions: ['key.created', 'webhook_endpoint.created'], pageSize: 1 }] }),
  dataOptional: true,
  result: z.object({ entries: z.array(auditEntry) }),
  message: 'Audit log retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken, apiKey, ...filter }, { db, caller: { workspaceId }, keyring }) {
    const { rows, next } = await pageOf(
      { keyring, list: ['audit log', workspaceId], pageToken, pageSize },
      ({ after, limit }) =>
        pageAudit(
          db,
          workspaceId,
          { ...filter, apiKeyId: apiKey },
          { after: after && { at: Number(after[0]), entryId: String(after[1]) }, limit },
        ),
      (row) => [row.at, row.entryId],
    );
    return { data: { entries: rows.map(presentAudit) }, next };
  },
});
