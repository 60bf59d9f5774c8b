import { sql } from 'kysely';
import type { Tx } from '../../src/db/tables.ts';
import { until } from '../run/until.ts';

/** Waits until a statement of another connection waits for a lock that this transaction holds. */
export async function untilBlocks(tx: Tx): Promise<void> {
  await until(
    async () => {
      const { rows } = await sql<{ blocks: boolean }>`select exists (select from pg_locks
      where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))) as blocks`.execute(tx);
      return rows[0]!.blocks;
    },
    'a statement that waits for this transaction',
    60_000,
  );
}
