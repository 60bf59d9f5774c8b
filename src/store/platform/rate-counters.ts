import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Counts one use in the current fixed window and returns the uses of all processes in it. */
export async function countUse(
  db: Db,
  bucket: string,
  windowMs: number,
  now: number,
): Promise<{ used: number; resetMs: number }> {
  const windowStart = now - (now % windowMs);
  const { used } = await db
    .insertInto('rateCounters')
    .values({ bucket, windowStart, used: 1 })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        used: sql<number>`case when rate_counters.window_start = excluded.window_start then rate_counters.used + 1 else 1 end`,
        windowStart: sql<number>`excluded.window_start`,
      }),
    )
    .returning('used')
    .executeTakeFirstOrThrow();
  return { used, resetMs: windowStart + windowMs - now };
}

/** The longest window is an hour. */
const KEPT_MS = 86_400_000;

/** Deletes counters whose window is over, such as those of addresses that were seen once. */
export async function pruneRateCounters(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('rateCounters')
    .where('windowStart', '<', now - KEPT_MS)
    .execute();
}
