import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../lib/day.ts';
import { isLockTimeout } from '../database-errors.ts';
import { mayDropRows } from '../hold-deletions.ts';
import { rowOf, rowsOf } from '../sql-fragments.ts';
import type { Db, Tx } from '../tables.ts';

/** The table that is partitioned, by the time that begins the ids of runs. */
const TABLE = 'execution_log';
/** The partition of all lines from before the first week with one of its own. It is emptied, and never dropped. */
const FIRST = `${TABLE}_first`;
/** Takes the lines that no other partition takes. */
const REST = `${TABLE}_default`;

const WEEK_MS = 7 * DAY_MS;
/** Weeks after the current one that have a partition, so that the service may be away for as long. */
const AHEAD = 4;
/** All statements on the table wait for as long as one of these waits for its lock. */
const LOCK_MS = 200;

/** The logs of the runs that began within a time. */
export interface LogPartition {
  name: string;
  /** The smallest id of a run; undefined for the first partition. */
  fromId: string | undefined;
  /** The smallest id of a run of a later partition. */
  toId: string;
  /** The end of the time, in epoch milliseconds. */
  until: number;
}

const idAt = (ms: number): string => `exec_${ms}`;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const partitionRow = z.object({ name: z.string(), bound: z.string() });
const BOUND = /^FOR VALUES FROM \((?:MINVALUE|'(exec_\d+)')\) TO \('(exec_(\d+))'\)$/;

/** Partitions in the order of their times, without that for the rest. */
export async function listLogPartitions(db: Db): Promise<LogPartition[]> {
  const rows = await rowsOf(
    db,
    partitionRow,
    sql`select t.relname as name, pg_get_expr(t.relpartbound, t.oid) as bound
      from pg_inherits join pg_class t on t.oid = inhrelid where inhparent = to_regclass(${TABLE})`,
  );
  return rows
    .flatMap(({ name, bound }): LogPartition[] => {
      const [, fromId, toId, until] = BOUND.exec(bound) ?? [];
      return toId === undefined ? [] : [{ name, fromId, toId, until: Number(until) }];
    })
    .sort((one, other) => one.until - other.until);
}

/** The weeks, as the times of their beginnings, that should have a partition and have none. */
async function missingWeeks(db: Db, now: number, ahead: number): Promise<number[]> {
  const partitions = await listLogPartitions(db);
  const first = Math.floor(now / WEEK_MS) * WEEK_MS;
  return Array.from({ length: ahead + 1 }, (_, index) => first + index * WEEK_MS).filter(
    (from) =>
      !partitions.some(({ fromId, until }) => until > from && (fromId === undefined || fromId <= idAt(from))),
  );
}

const lockRow = z.object({ isMine: z.boolean() });

/**
 * Makes the partitions of this week and of the next ones. Several processes may do so at the same time: one does it. If
 * statements keep the table locked, nothing is made, and the next call tries again.
 */
export async function makeLogPartitions(db: Db, now: number): Promise<void> {
  for (const from of await missingWeeks(db, now, AHEAD)) {
    await unlessLocked(db, async (tx) => {
      const { isMine } = await rowOf(
        tx,
        lockRow,
        sql`select pg_try_advisory_xact_lock(hashtextextended('log partitions', 0)) as is_mine`,
      );
      if (isMine && (await missingWeeks(tx, now, AHEAD)).includes(from)) await makeWeek(tx, from);
    });
  }
}

async function makeWeek(tx: Tx, from: number): Promise<void> {
  const name = `${TABLE}_${dayOf(from).replaceAll('-', '')}`;
  const [fromId, toId] = [sql.lit(idAt(from)), sql.lit(idAt(from + WEEK_MS))];
  // Attaching a table takes a weaker lock than making it as a partition.
  await sql`create table ${sql.table(name)} (like ${sql.table(TABLE)} including defaults)`.execute(tx);
  // A line that the rest holds already, since the clock was ahead or the partition was late, moves to it.
  await sql`lock table ${sql.table(REST)} in access exclusive mode`.execute(tx);
  await sql`with moved as (
      delete from ${sql.table(REST)} where execution_id >= ${fromId} and execution_id < ${toId} returning *)
    insert into ${sql.table(name)} select * from moved`.execute(tx);
  await sql`alter table ${sql.table(TABLE)} attach partition ${sql.table(name)}
    for values from (${fromId}) to (${toId})`.execute(tx);
}

/** Runs a transaction that gives up soon if it must wait for a lock. Returns false then. */
async function unlessLocked(db: Db, work: (tx: Tx) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx);
      await work(tx);
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/**
 * Removes a partition with all of its lines, and returns their space. Returns false if it is locked, or while a backup is
 * written, whose snapshot does not keep what is dropped.
 */
export async function dropLogPartition(
  db: Db,
  { name }: LogPartition,
  { ifEmpty = false }: { ifEmpty?: boolean } = {},
): Promise<boolean> {
  let isDropped = false;
  await unlessLocked(db, async (tx) => {
    if (!(await mayDropRows(tx))) return;
    const partition = sql.table(name);
    if (ifEmpty) {
      // A line may have been committed since it was found empty.
      await sql`lock table ${partition} in access exclusive mode`.execute(tx);
      const { isEmpty } = await rowOf(
        tx,
        emptyRow,
        sql`select not exists (select from ${partition}) as is_empty`,
      );
      if (!isEmpty) return;
    }
    await (name === FIRST ? sql`truncate ${partition}` : sql`drop table ${partition}`).execute(tx);
    isDropped = true;
  });
  return isDropped;
}

const emptyRow = z.object({ isEmpty: z.boolean() });

/** Drops partitions of past weeks whose lines have all been deleted. */
export async function dropEmptyLogPartitions(db: Db, now: number): Promise<void> {
  for (const partition of await listLogPartitions(db)) {
    // A run of the last week may still begin its log.
    if (partition.until > now - WEEK_MS) continue;
    const { isEmpty } = await rowOf(
      db,
      emptyRow,
      sql`select not exists (select from ${sql.table(partition.name)})
        and pg_relation_size(cast(${partition.name} as regclass)) > ${partition.name === FIRST ? 0 : -1} as is_empty`,
    );
    if (isEmpty) await dropLogPartition(db, partition, { ifEmpty: true });
  }
}

const restRow = z.object({ lines: z.number() });

/** Sentences about what is wrong with the partitions. */
export async function faultsOfLogPartitions(db: Db, now: number): Promise<string[]> {
  const missing = await missingWeeks(db, now, 1);
  const { lines } = await rowOf(
    db,
    restRow,
    sql`select count(*) as lines from (select from ${sql.table(REST)} limit 1000) as line`,
  );
  return [
    ...(missing.length === 0 ? [] : [`${TABLE} has no partition for the week of ${dayOf(missing[0]!)}.`]),
    ...(lines === 0
      ? []
      : [
          `${REST} has ${lines === 1000 ? 'a thousand lines or more' : lines === 1 ? '1 line' : `${lines} lines`}, which no week takes.`,
        ]),
  ];
}
