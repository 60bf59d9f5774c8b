import { sql } from 'kysely';
import { z } from 'zod';
import { rowOf } from '../sql-fragments.ts';
import type { Db } from '../tables.ts';

/** A place in the write-ahead log, in bytes from its beginning. */
export type WalPosition = bigint;

const positionRow = z.object({ position: z.string() });

/**
 * Calls that wait for an answer share the next one: each gets an answer that was asked for after its call, and one question
 * at a time is on the way.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let following: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const asked: Promise<T> = ask().finally(() => {
      if (current === asked) current = undefined;
    });
    current = asked;
    return asked;
  };
  return () => {
    if (current === undefined) return start();
    // The current question may have been answered before this call.
    following ??= current
      .catch(() => {})
      .then(() => {
        following = undefined;
        return start();
      });
    return following;
  };
}

/**
 * The place up to which the primary has written its log. It includes every commit that has been acknowledged, also those
 * that are acknowledged before they are on the disk.
 */
export const latestPosition = (primary: Db): (() => Promise<WalPosition>) =>
  shared(async () => {
    const { position } = await rowOf(
      primary,
      positionRow,
      sql`select cast(pg_wal_lsn_diff(
        case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end, '0/0') as text) as position`,
    );
    return BigInt(position);
  });

const replayRow = z.object({ position: z.string(), isStandby: z.boolean() });

/** The place up to which a server shows what the log contains, and whether it replays the log of another server. */
export async function visiblePosition(db: Db): Promise<{ position: WalPosition; isStandby: boolean }> {
  const { position, isStandby } = await rowOf(
    db,
    replayRow,
    sql`select cast(pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end, '0/0') as text)
        as position, pg_is_in_recovery() as is_standby`,
  );
  return { position: BigInt(position), isStandby };
}
