import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
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
    const { lines, isOld, oldestAt } = await rowOf(db, contentRow, contentOf(partition, old));
    if (!isOld || lines === 0 || !(await dropLogPartition(db, partition))) continue;
    sum.rows += lines;
    sum.oldestAt = Math.min(sum.oldestAt ?? Number.POSITIVE_INFINITY, oldestAt!);
  }
  return sum;
}

const contentOf = ({ name, fromId, toId }: LogPartition, old: RawBuilder<unknown>): RawBuilder<unknown> => {
  const isWithin = sql`execution_id < ${toId} ${fromId === undefined ? sql`` : sql`and execution_id >= ${fromId}`}`;
  return sql`
    with old as materialized (select * from (${old}) run where ${isWithin}),
    log as materialized (
      select api_key_id, execution_id, count(*) as lines from ${sql.table(name)} group by 1, 2)
    select coalesce(sum(log.lines), 0) as lines, coalesce(bool_and(old.at is not null), true) as is_old,
      min(old.at) as oldest_at
    from log left join old using (api_key_id, execution_id)`;
};
