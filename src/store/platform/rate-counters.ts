import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';

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

interface Uses {
  uses: number;
  quota: number;
  windowMs: number;
  now: number;
}

/**
 * Counts several uses if all of them are within the quota of the window, which begins as in `countUse`, and otherwise none.
 * `left` is the rest of the quota.
 */
export async function takeUses(
  db: Db,
  bucket: string,
  { uses, quota, windowMs, now }: Uses,
): Promise<{ isGranted: boolean; left: number; resetMs: number }> {
  const isOver = sql<boolean>`abs(excluded.window_start - rate_counters.window_start) >= ${windowMs}::bigint`;
  const taken = await db
    .insertInto('rateCounters')
    .values({ bucket, windowStart: now, used: uses })
    .onConflict((conflict) =>
      conflict
        .column('bucket')
        .doUpdateSet({
          used: sql<number>`case when ${isOver} then excluded.used else rate_counters.used + excluded.used end`,
          windowStart: sql<number>`case when ${isOver} then excluded.window_start else rate_counters.window_start end`,
        })
        .where(sql<boolean>`(${isOver} or rate_counters.used + excluded.used <= ${quota}::integer)`),
    )
    .returning(['used', 'windowStart'])
    .executeTakeFirst();
  const standing =
    taken ??
    (await db
      .selectFrom('rateCounters')
      .select(['used', 'windowStart'])
      .where('bucket', '=', bucket)
      .executeTakeFirst());
  const { used, windowStart } = standing ?? { used: quota, windowStart: now };
  return {
    isGranted: taken !== undefined,
    left: Math.max(0, quota - used),
    resetMs: windowStart + windowMs - now,
  };
}

/** The longest window is an hour. */
const KEPT_MS = DAY_MS;

/** Deletes counters whose window is over, such as those of addresses that were seen once. */
export async function pruneRateCounters(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('rateCounters')
    .where('windowStart', '<', now - KEPT_MS)
    .execute();
}
