import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { rowOf, rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';

/** Numbers of what is removed, or would be. */
export interface Tally {
  /** Rows of all tables. */
  rows: number;
  files: number;
  /** Bytes of the files. */
  bytes: number;
  /** The time of the oldest entry, in epoch milliseconds; null if there is none. */
  oldestAt: number | null;
}

export const emptyTally = (): Tally => ({ rows: 0, files: 0, bytes: 0, oldestAt: null });

export function addTallies(...tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const { rows, files, bytes, oldestAt } of tallies) {
    sum.rows += rows;
    sum.files += files;
    sum.bytes += bytes;
    if (oldestAt !== null) sum.oldestAt = Math.min(oldestAt, sum.oldestAt ?? oldestAt);
  }
  return sum;
}

const tallyRow = z.object({
  rows: z.coerce.number(),
  files: z.coerce.number().default(0),
  bytes: z.coerce.number().default(0),
  oldestAt: z.number().nullable().default(null),
});

/** Runs a statement whose rows are tallies, of which absent fields are zero, and adds them up. */
export const tallyOf = async (db: Db, statement: RawBuilder<unknown>): Promise<Tally> =>
  addTallies(...(await rowsOf(db, tallyRow, statement)));

const removalRow = tallyRow.extend({ found: z.coerce.number() });

/** Runs a statement that removes entries, and returns how many it found. */
export async function removalOf(db: Db, statement: RawBuilder<unknown>): Promise<Removal> {
  const { found, ...removed } = await rowOf(db, removalRow, statement);
  return { found, removed };
}

export interface Removal {
  found: number;
  removed: Tally;
}

/** Repeats a removal of at most `limit` entries until it finds fewer. `remove` returns how many it found. */
export async function untilFewer(
  limit: number,
  signal: AbortSignal,
  remove: () => Promise<Removal>,
): Promise<Tally> {
  let sum = emptyTally();
  for (;;) {
    signal.throwIfAborted();
    const { found, removed } = await remove();
    sum = addTallies(sum, removed);
    if (found < limit) return sum;
  }
}

export const literal = (value: number): RawBuilder<number> => sql`cast(${value} as bigint)`;
