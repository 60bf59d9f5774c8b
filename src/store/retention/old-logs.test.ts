import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { insertLines, insertRun } from '../../../test/reviews/log-lines.ts';
import { until } from '../../../test/run/until.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { areDeletionsHeld, holdDeletions } from '../../db/hold-deletions.ts';
import { dropEmptyLogPartitions, makeLogPartitions } from '../../db/partitions/log-partitions.ts';
import type { Db } from '../../db/tables.ts';
import { countOld, type KeptDays, removeOld } from './retention.ts';

const WEEK_MS = 7 * 86_400_000;
const { signal } = new AbortController();
const KEPT: KeptDays = {
  ...{ runs: undefined, screenshots: undefined, run_logs: 7, notifications: undefined },
  ...{ activities: undefined, events: undefined, deliveries: undefined },
};

async function open(): Promise<Db> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(close);
  return db;
}

/** Runs with five lines each, of this week and of the two weeks after, and the time at which only the last ones are young. */
async function withWeeks(db: Db) {
  const began = Math.floor(Date.now() / WEEK_MS) * WEEK_MS;
  await makeLogPartitions(db, began);
  const weeks: string[][] = [];
  for (const week of [0, 1, 2]) {
    const runs: string[] = [];
    for (const day of [0, 1])
      runs.push(await insertRun(db, began + week * WEEK_MS + day * 86_400_000 + 7_200_000));
    for (const run of runs) await insertLines(db, run, 5);
    weeks.push(runs);
  }
  return { weeks, now: began + 3 * WEEK_MS + 3_600_000 };
}

async function state(db: Db) {
  const { rows } = await sql<{ name: string; bytes: number; lines: number }>`
    select t.relname as name, pg_total_relation_size(t.oid) as bytes from pg_inherits join pg_class t on t.oid = inhrelid
    where inhparent = 'execution_log'::regclass order by 1`.execute(db);
  const { rows: runs } = await sql<{ id: string; lines: number }>`
    select execution_id as id, count(*) as lines from execution_log group by 1 order by 1`.execute(db);
  return {
    names: rows.map(({ name }) => name),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    runs: Object.fromEntries(runs.map(({ id, lines }) => [id, lines])),
  };
}

async function removeLogs(db: Db, now: number, kept = KEPT) {
  const counted = await countOld(db, 'run_logs', kept, now);
  const removed = await removeOld(db, 'run_logs', kept, { now, signal });
  expect(removed).toEqual(counted);
  return removed!.rows;
}

test('a week of old logs is dropped as a whole, the lines of a week that is not over one by one', async () => {
  const db = await open();
  const { weeks, now } = await withWeeks(db);
  const before = await state(db);
  // The first day of the third week is old as well.
  expect(await removeLogs(db, now + 86_400_000)).toBe(25);
  const after = await state(db);
  expect(after.runs).toEqual({ [weeks[2]![1]!]: 5 });
  // That of the second week is gone; the first partition, which all lines of before share, is empty.
  expect(before.names.filter((name) => !after.names.includes(name))).not.toEqual([]);
});

test('the space of dropped logs is returned at once', async () => {
  const db = await open();
  const { weeks, now } = await withWeeks(db);
  for (const run of [...weeks[0]!, ...weeks[1]!]) await insertLines(db, run, 1_000);
  const { bytes } = await state(db);
  expect(bytes).toBeGreaterThan(4_000_000);
  expect(await removeLogs(db, now)).toBe(4_020);
  expect((await state(db)).bytes).toBeLessThan(1_000_000);
});

test('a week with a run that goes on or ended late keeps its partition, and the others lose their lines', async () => {
  const db = await open();
  const { weeks, now } = await withWeeks(db);
  const [long, late] = [
    await insertRun(db, now - 3 * WEEK_MS, undefined, null),
    await insertRun(db, now - 2 * WEEK_MS, undefined, now - 1_000),
  ];
  for (const run of [long, late]) await insertLines(db, run, 1);
  const before = await state(db);
  expect(await removeLogs(db, now)).toBe(20);
  const after = await state(db);
  expect(after.names).toEqual(before.names);
  expect(after.runs).toEqual({ [long]: 1, [late]: 1, [weeks[2]![0]!]: 5, [weeks[2]![1]!]: 5 });
});

test('the lines of a partition that is in use are deleted one by one', async () => {
  const db = await open();
  const { now } = await withWeeks(db);
  const before = await state(db);
  await db.transaction().execute(async (tx) => {
    await sql`select from execution_log limit 1`.execute(tx);
    expect(await removeLogs(db, now)).toBe(20);
  });
  expect((await state(db)).names).toEqual(before.names);
  expect(Object.keys((await state(db)).runs)).toHaveLength(2);
});

test('while a backup is written, no partition is dropped from under its snapshot', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(close);
  const { now } = await withWeeks(db);
  const before = await state(db);
  const backup = new pg.Client({ connectionString: url });
  await backup.connect();
  await holdDeletions(backup);
  expect(await removeLogs(db, now)).toBe(20);
  await dropEmptyLogPartitions(db, now);
  expect((await state(db)).names).toEqual(before.names);
  await backup.end();
  // The server notices the end of the connection a moment later.
  await until(async () => !(await areDeletionsHeld(db)));
  await dropEmptyLogPartitions(db, now);
  expect((await state(db)).names.length).toBeLessThan(before.names.length);
});

test('the logs of old runs are dropped before the runs, except those of a review that is young', async () => {
  const db = await open();
  const { weeks, now } = await withWeeks(db);
  await sql`update executions set review_id = 'review' where execution_id = ${weeks[0]![0]!}`.execute(db);
  await sql`insert into reviews (api_key_id, review_id, request, status, started_at, completed_at)
    values ('key', 'review', '{}', 'ended', 0, ${now - 1_000})`.execute(db);
  const kept = { ...KEPT, runs: 7, run_logs: undefined };
  const counted = await countOld(db, 'runs', kept, now);
  expect(await removeOld(db, 'runs', kept, { now, signal })).toEqual(counted);
  const { rows } = await sql<{ id: string }>`select execution_id as id from executions`.execute(db);
  const { runs } = await state(db);
  expect(Object.keys(runs).sort()).toEqual(rows.map(({ id }) => id).sort());
  expect(Object.keys(runs)).toEqual([weeks[0]![0]!, ...weeks[2]!]);
});
