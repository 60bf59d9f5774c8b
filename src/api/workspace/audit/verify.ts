import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { auditHead, countUnchained, verifyAudit } from '../../../store/audit/verify-audit.ts';

const place = z.object({ seq: z.int(), hash: z.string() });

export default read({
  path: '/v2/workspace/audit/verify',
  auth: 'workspace',
  summary: 'Check whether the audit log of the workspace is whole, and where it breaks.',
  description:
    'Each page checks a part of the chain of hashes, from its oldest entry on. The log is whole if `isWhole` is true in all pages. Keep `head` outside of the service: if a later log has another hash at this number, then the chain has been written anew.',
  data: z
    .object({ pageSize: pageSize(10_000, 5_000), pageToken: pageToken.optional() })
    .meta({ examples: [{ pageSize: 5_000 }] }),
  dataOptional: true,
  result: z.object({
    isWhole: z.boolean().describe('True if this part of the chain is whole.'),
    checked: z.int().describe('Number of entries in this part that are as they were written.'),
    erased: z.int().describe('Number of entries among them of which a person was erased.'),
    brokenAt: z
      .object({ seq: z.int(), entryId: z.string().nullable(), reason: z.string() })
      .nullable()
      .describe('The first entry that is not as it was written.'),
    head: place.describe('The newest entry of the chain.'),
    anchor: place.describe('The last entry that was removed because of its age; number 0 if none was.'),
    unchained: z.int().describe('Number of entries that are new and not chained yet.'),
  }),
  message: 'Audit log checked successfully.',
  page: 'nextPageToken',
  isHeavy: true,

  async handle({ pageSize, pageToken }, { db, caller: { workspaceId }, keyring }) {
    const list = ['audit chain', workspaceId];
    const [seq, hash] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const after = seq === undefined ? undefined : { seq: Number(seq), hash: String(hash) };
    const head = await auditHead(db, workspaceId);
    const { checked, erased, brokenAt, next } = await verifyAudit(db, head, { after, limit: pageSize });
    return {
      data: {
        isWhole: brokenAt === undefined,
        checked,
        erased,
        brokenAt: brokenAt ?? null,
        head: { seq: head.seq, hash: head.hash },
        anchor: { seq: head.anchorSeq, hash: head.anchorHash },
        unchained: await countUnchained(db, workspaceId),
      },
      next: next && sealCursor(keyring, list, [next.seq, next.hash]),
    };
  },
});
