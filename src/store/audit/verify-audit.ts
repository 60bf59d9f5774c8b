import type { AuditTables } from '../../db/tables/audit-tables.ts';
import type { Db } from '../../db/tables.ts';
import { type AuditRow, actorDigestOf, entryHashOf, FIRST_HASH, targetDigestOf } from './audit-hash.ts';

/** The place up to which a chain has been checked. */
export interface CheckedTo {
  seq: number;
  hash: string;
}

export interface ChainCheck {
  /** Entries that this part checked. */
  checked: number;
  /** Entries of which a person was erased: what was erased is no longer checked. */
  erased: number;
  brokenAt?: { seq: number; entryId: string | null; reason: string };
  /** Where the next part continues; undefined at the end of the chain, or where it breaks. */
  next?: CheckedTo;
}

export type AuditHead = AuditTables['auditHeads'];

/** The head of a chain; that of an empty one if nothing has been chained. */
export async function auditHead(db: Db, workspaceId: string): Promise<AuditHead> {
  const row = await db
    .selectFrom('auditHeads')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return row ?? { workspaceId, seq: 0, hash: FIRST_HASH, anchorSeq: 0, anchorHash: FIRST_HASH };
}

/** Entries that are committed and not chained yet. */
export async function countUnchained(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('auditLog')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspaceId', '=', workspaceId)
    .where('seq', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The workspaces that have entries, with the chain of the service. */
export async function chainsWithEntries(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('auditHeads').select('workspaceId').orderBy('workspaceId').execute();
  return rows.map(({ workspaceId }) => workspaceId);
}

interface Part {
  after: CheckedTo | undefined;
  limit: number;
}

/** Checks up to `limit` entries of a chain, from its beginning or where an earlier part ended. */
export async function verifyAudit(db: Db, head: AuditHead, part: Part): Promise<ChainCheck> {
  const check = await checkPart(db, head, part);
  if (!check.brokenAt) return check;
  const now = await auditHead(db, head.workspaceId);
  // Entries that retention has removed since the head was read are not missing.
  return now.anchorSeq === head.anchorSeq ? check : await verifyAudit(db, now, part);
}

async function checkPart(db: Db, head: AuditHead, { after, limit }: Part): Promise<ChainCheck> {
  // Retention may have removed what an earlier part ended with.
  const start =
    after === undefined || after.seq < head.anchorSeq
      ? { seq: head.anchorSeq, hash: head.anchorHash }
      : after;
  const rows = await db
    .selectFrom('auditLog')
    .selectAll()
    .where('workspaceId', '=', head.workspaceId)
    .where('seq', '>', start.seq)
    .where('seq', '<=', head.seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  let { seq, hash } = start;
  let erased = 0;
  for (const row of rows) {
    const reason = faultOf(row, seq + 1, hash);
    if (reason !== undefined) {
      return {
        checked: seq - start.seq,
        erased,
        brokenAt: { seq: seq + 1, entryId: row.entryId, reason },
      };
    }
    if (row.actorSalt === null || row.targetSalt === null) erased += 1;
    seq += 1;
    hash = row.hash!;
  }
  const checked = rows.length;
  if (rows.length === limit && seq < head.seq) return { checked, erased, next: { seq, hash } };
  if (seq < head.seq) {
    return { checked, erased, brokenAt: { seq: seq + 1, entryId: null, reason: 'The entry is missing.' } };
  }
  if (hash !== head.hash) {
    const reason = 'The newest entry is not the one that the head names.';
    return { checked, erased, brokenAt: { seq, entryId: rows.at(-1)?.entryId ?? null, reason } };
  }
  return { checked, erased };
}

/** The reason why an entry does not follow the one before it. */
function faultOf(row: AuditRow, seq: number, previousHash: string): string | undefined {
  if (row.seq !== seq) return 'The entry is missing.';
  if (row.previousHash !== previousHash) return 'The entry does not follow the one before it.';
  if (row.hash !== entryHashOf(row, seq, previousHash)) return 'The entry was changed.';
  if (row.actorSalt !== null && row.actorDigest !== actorDigestOf(row)) return 'The actor was changed.';
  if (row.targetSalt !== null && row.targetDigest !== targetDigestOf(row)) return 'The target was changed.';
  return undefined;
}
