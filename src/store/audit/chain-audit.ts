import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { entryHashOf, FIRST_HASH } from './audit-hash.ts';

const CHAINS_AT_ONCE = 100;
/** Entries of one transaction. */
const PART = 500;

/**
 * Gives committed entries their places in the chains of their workspaces. Writers of entries neither wait for this nor for each
 * other: only processes that chain lock the head of a chain, and what one of them has locked, the others leave to it.
 */
export async function chainAudit(db: Db): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } = await sql<{ workspaceId: string }>`
      select distinct workspace_id from audit_log where seq is null and workspace_id > ${after}
      order by workspace_id limit ${sql.lit(CHAINS_AT_ONCE)}`.execute(db);
    for (const { workspaceId } of rows) {
      let count = PART;
      while (count === PART) count = await db.transaction().execute((tx) => chainPart(tx, workspaceId));
    }
    if (rows.length < CHAINS_AT_ONCE) return;
    after = rows.at(-1)!.workspaceId;
  }
}

/** Chains the oldest waiting entries of a workspace. Returns their number; 0 if another process is at it. */
async function chainPart(tx: Tx, workspaceId: string): Promise<number> {
  await tx
    .insertInto('auditHeads')
    .values({ workspaceId, seq: 0, hash: FIRST_HASH, anchorSeq: 0, anchorHash: FIRST_HASH })
    .onConflict((on) => on.doNothing())
    .execute();
  const head = await tx
    .selectFrom('auditHeads')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!head) return 0;
  const waiting = await tx
    .selectFrom('auditLog')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('seq', 'is', null)
    .orderBy('at')
    .orderBy('entryId')
    .limit(PART)
    .execute();
  if (waiting.length === 0) return 0;
  let { seq, hash } = head;
  const chained = waiting.map((row) => {
    const previousHash = hash;
    seq += 1;
    hash = entryHashOf(row, seq, previousHash);
    return { entryId: row.entryId, seq, previousHash, hash };
  });
  await sql`
    update audit_log set seq = item.seq, previous_hash = item."previousHash", hash = item.hash
    from jsonb_to_recordset(${json(chained)}) as item("entryId" text, seq bigint, "previousHash" text, hash text)
    where audit_log.workspace_id = ${workspaceId} and audit_log.entry_id = item."entryId"`.execute(tx);
  await tx.updateTable('auditHeads').set({ seq, hash }).where('workspaceId', '=', workspaceId).execute();
  return waiting.length;
}
