import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/**
 * Counts one use and returns the uses of all processes in the window, which begins with the first use after the end of the
 * one before. So uses that begin after a rest are in one window, whatever the clock says.
 */
export async function countUse(
  db: Db,
  bucket: string,
  windowMs: number,
  now: number,
): Promise<{ used: number; resetMs: number }> {
  // A start that is far ahead is of a clock that has been set back since.
  const isOver = sql<boolean>`abs(excluded.window_start - rate_counters.window_start) >= ${windowMs}::bigint`;
  const { used, windowStart } = await db
    .insertInto('rateCounters')
    .values({ bucket, windowStart: now, used: 1 })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        used: sql<number>`case when ${isOver} then 1 else rate_counters.used + 1 end`,
        windowStart: sql<number>`case when ${isOver} then excluded.window_start else rate_counters.window_start end`,
      }),
    )
    .returning(['used', 'windowStart'])
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
