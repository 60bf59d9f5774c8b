import type { Db, Tx } from '../../db/tables.ts';
import { chainsWithEntries } from './verify-audit.ts';

const PART = 1_000;

/** Removes entries that are older than a time from all chains; see `pruneChain`. */
export async function pruneAudit(db: Db, before: number): Promise<void> {
  for (const workspaceId of await chainsWithEntries(db)) await pruneChain(db, workspaceId, before);
}

/**
 * Removes entries that are older than a time from the oldest end of a chain. Its head keeps the hash of the last one, so that the
 * rest can still be verified.
 */
export async function pruneChain(db: Db, workspaceId: string, before: number): Promise<void> {
  let count = PART;
  while (count === PART) count = await db.transaction().execute((tx) => prunePart(tx, workspaceId, before));
}

async function prunePart(tx: Tx, workspaceId: string, before: number): Promise<number> {
  const head = await tx
    .selectFrom('auditHeads')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const oldest = await tx
    .selectFrom('auditLog')
    .select(['seq', 'hash', 'at'])
    .where('workspaceId', '=', workspaceId)
    .where('seq', '>', head.anchorSeq)
    .where('seq', '<=', head.seq)
    .orderBy('seq')
    .limit(PART)
    .execute();
  // The order of the chain is that of the commits, which differs a little from that of the times.
  const kept = oldest.findIndex(({ at }) => at >= before);
  const old = kept === -1 ? oldest : oldest.slice(0, kept);
  const last = old.at(-1);
  if (!last) return 0;
  await tx
    .updateTable('auditHeads')
    .set({ anchorSeq: last.seq!, anchorHash: last.hash! })
    .where('workspaceId', '=', workspaceId)
    .execute();
  await tx
    .deleteFrom('auditLog')
    .where('workspaceId', '=', workspaceId)
    .where('seq', '<=', last.seq)
    .execute();
  return old.length;
}
