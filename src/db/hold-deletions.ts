import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { rowOf } from './sql-fragments.ts';
import type { Db, Tx } from './tables.ts';

/** Key of the advisory lock whose holders need files that rows of their snapshot refer to. */
const HOLD = "hashtextextended('redpen.hold_deletions', 0)";

/** Keeps stored files from being deleted by any process until the connection ends. */
export async function holdDeletions(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${HOLD})`);
}

const mineRow = z.object({ isMine: z.boolean() });

/** Keeps backups from beginning until the transaction ends. Returns false if one is being written. */
export async function mayDropRows(tx: Tx): Promise<boolean> {
  const { isMine } = await rowOf(
    tx,
    mineRow,
    sql`select pg_try_advisory_xact_lock(${sql.raw(HOLD)}) as is_mine`,
  );
  return isMine;
}

const heldRow = z.object({ held: z.boolean() });

/** True while files must not be deleted, because a backup is being written. */
export async function areDeletionsHeld(db: Db): Promise<boolean> {
  const { held } = await rowOf(
    db,
    heldRow,
    sql`select exists (select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and objsubid = 1 and ((classid::bigint << 32) | objid::bigint) = ${sql.raw(HOLD)}) as held`,
  );
  return held;
}
