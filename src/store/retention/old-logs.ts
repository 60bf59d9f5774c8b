import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isCancelled } from '../../db/database-errors.ts';
import {
  dropLogPartition,
  type LogPartition,
  listLogPartitions,
} from '../../db/partitions/log-partitions.ts';
import { rowOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { emptyTally, type Tally } from './tally.ts';

const contentRow = z.object({
  lines: z.number(),
  isOld: z.boolean(),
  oldestAt: z.number().nullable(),
});

/**
 * Drops the partitions of the log in which all lines belong to old runs, which `old` selects with `api_key_id`,
 * `execution_id` and `at`. Lines of old runs that share a partition with others stay, to be deleted by rows, and so do those
 * of a partition that is in use at the moment. The log of an ended run is final, so no line is added meanwhile.
 */
export async function dropOldLogs(db: Db, before: number, old: RawBuilder<unknown>): Promise<Tally> {
  const sum = emptyTally();
  for (const partition of await listLogPartitions(db)) {
    // Runs that began after the time have not ended before it.
    if (partition.until > before) break;
    if (!(await hasOnlyOldRuns(db, partition, old))) continue;
    const content = await contentOf(db, partition, old);
    if (content === undefined) continue;
    const { lines, isOld, oldestAt } = content;
    if (!isOld || lines === 0 || !(await dropLogPartition(db, partition))) continue;
    sum.rows += lines;
    sum.oldestAt = Math.min(sum.oldestAt ?? Number.POSITIVE_INFINITY, oldestAt!);
  }
  return sum;
}

const isWithin = ({ fromId, toId }: LogPartition): RawBuilder<unknown> =>
  sql`execution_id < ${toId} ${fromId === undefined ? sql`` : sql`and execution_id >= ${fromId}`}`;

const runsRow = z.object({ areOld: z.boolean() });

/** True if all runs whose lines a partition may have are old. It reads the runs, which are far fewer than the lines. */
async function hasOnlyOldRuns(db: Db, partition: LogPartition, old: RawBuilder<unknown>): Promise<boolean> {
  const within = isWithin(partition);
  const { areOld } = await rowOf(
    db,
    runsRow,
    sql`select (select count(*) from executions where ${within})
      = (select count(*) from (${old}) run where ${within}) as are_old`,
  );
  return areOld;
}

/** The lines of a partition; undefined if it is too large to be counted within the time of a statement. */
async function contentOf(
  db: Db,
  partition: LogPartition,
  old: RawBuilder<unknown>,
): Promise<z.infer<typeof contentRow> | undefined> {
  const query = sql`
    with old as materialized (select * from (${old}) run where ${isWithin(partition)}),
    log as materialized (
      select api_key_id, execution_id, count(*) as lines from ${sql.table(partition.name)} group by 1, 2)
    select coalesce(sum(log.lines), 0) as lines, coalesce(bool_and(old.at is not null), true) as is_old,
      min(old.at) as oldest_at
    from log left join old using (api_key_id, execution_id)`;
  try {
    return await rowOf(db, contentRow, query);
  } catch (error) {
    // Its lines are deleted by rows.
    if (isCancelled(error)) return undefined;
    throw error;
  }
}
