import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { insertLines, insertRun } from '../../../test/reviews/log-lines.ts';
import { openDatabase } from '../connections/connect.ts';
import { migrate, migrateTo } from '../migrate.ts';
import type { Db } from '../tables.ts';
import {
  dropEmptyLogPartitions,
  faultsOfLogPartitions,
  listLogPartitions,
  makeLogPartitions,
} from './log-partitions.ts';

const WEEK_MS = 7 * 86_400_000;

async function open(
  options: Parameters<typeof newDatabase>[0] = {},
): Promise<{ db: Db; again(): Promise<Db> }> {
  const { url, drop } = await newDatabase(options);
  onTestFinished(drop);
  const again = async () => {
    const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
    onTestFinished(close);
    return db;
  };
  return { db: await again(), again };
}

/** The partition in which each run's lines are. */
async function places(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ id: string; place: string }>`
    select distinct execution_id as id, tableoid::regclass::text as place from execution_log`.execute(db);
  return Object.fromEntries(rows.map(({ id, place }) => [id, place]));
}

const namesOf = async (db: Db) => (await listLogPartitions(db)).map(({ name }) => name);

test('the rows of an older version stay where they are, and lines that fit no time go to the rest', async () => {
  const { db } = await open({ empty: true });
  await migrateTo(db, '0027-retention');
  const now = Date.now();
  const old = await insertRun(db, now - 100 * WEEK_MS);
  const recent = await insertRun(db, now);
  const ahead = await insertRun(db, now + 3 * WEEK_MS);
  const other = await insertRun(db, now, 'run-of-a-test');
  for (const id of [old, recent, ahead, other]) await insertLines(db, id, 3);
  const file = sql<{ file: number }>`select relfilenode as file from pg_class where oid = (
    select min(tableoid::bigint)::oid from execution_log where execution_id = ${old})`;
  const before = (await file.execute(db)).rows;

  await migrate(db);

  expect((await file.execute(db)).rows).toEqual(before);
  expect(await places(db)).toEqual({
    [old]: 'execution_log_first',
    [recent]: 'execution_log_first',
    [ahead]: expect.stringMatching(/^execution_log_\d{8}$/),
    [other]: 'execution_log_default',
  });
  const { rows } = await sql<{ seq: number }>`select seq from execution_log order by seq`.execute(db);
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  await insertLines(db, recent, 1);
  const last = await sql<{ seq: number }>`select max(seq) as seq from execution_log`.execute(db);
  expect(last.rows[0]!.seq).toBe(13);
});

test('every look-up by the id of a run reads one partition', async () => {
  const { db } = await open();
  const now = Date.now();
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select from execution_log
    where api_key_id = 'key' and execution_id = ${sql.lit(`exec_${now}_x`)}`.execute(db.withoutPlugins());
  const read = rows
    .map((row) => row['QUERY PLAN'])
    .join('\n')
    .match(/ on (execution_log\w*)/g);
  const ofNow = (await listLogPartitions(db)).find(({ until }) => until > now)!;
  expect(read).toEqual([` on ${ofNow.name}`]);
});

test('many processes that make partitions at the same time make each once', async () => {
  const { db, again } = await open();
  const later = Date.now() + 20 * WEEK_MS;
  const before = await namesOf(db);
  expect(await faultsOfLogPartitions(db, later)).toEqual([
    expect.stringMatching(/^execution_log has no partition for the week of \d{4}-\d\d-\d\d\.$/),
  ]);
  const others = await Promise.all([again(), again(), again()]);
  await Promise.all([db, ...others].map((one) => makeLogPartitions(one, later)));
  // One that found the lock taken has left the rest to the next call.
  await makeLogPartitions(db, later);
  const names = await namesOf(db);
  expect(names).toHaveLength(before.length + 5);
  expect(await faultsOfLogPartitions(db, later)).toEqual([]);
  await makeLogPartitions(db, later);
  expect(await namesOf(db)).toEqual(names);
});

test('lines that a clock ahead wrote are a warning until their week has a partition', async () => {
  const { db } = await open();
  const later = Date.now() + 30 * WEEK_MS;
  const run = await insertRun(db, later);
  await insertLines(db, run, 2);
  expect(await faultsOfLogPartitions(db, Date.now())).toEqual([
    'execution_log_default has 2 lines, which no week takes.',
  ]);
  await makeLogPartitions(db, later);
  expect(await faultsOfLogPartitions(db, Date.now())).toEqual([]);
  expect((await places(db))[run]).toMatch(/^execution_log_\d{8}$/);
});

test('a transaction that has the table in use delays neither others nor the making of partitions for long', async () => {
  const { db } = await open();
  const later = Date.now() + 20 * WEEK_MS;
  await db.transaction().execute(async (tx) => {
    await sql`lock table execution_log_default in access share mode`.execute(tx);
    await makeLogPartitions(db, later);
    expect(await faultsOfLogPartitions(db, later)).toHaveLength(1);
    const run = await insertRun(db, Date.now());
    await insertLines(db, run, 1);
  });
  await makeLogPartitions(db, later);
  expect(await faultsOfLogPartitions(db, later)).toEqual([]);
});

test('empty partitions of past weeks are dropped, and the first one is kept', async () => {
  const { db } = await open();
  const later = Date.now() + 3 * WEEK_MS;
  const run = await insertRun(db, Date.now() + WEEK_MS);
  await insertLines(db, run, 1);
  const kept = (await places(db))[run]!;
  const before = await namesOf(db);
  await dropEmptyLogPartitions(db, later);
  const names = await namesOf(db);
  expect(names[0]).toBe('execution_log_first');
  expect(names).toContain(kept);
  expect(before.filter((name) => !names.includes(name))).toEqual([]);
  await sql`delete from execution_log`.execute(db);
  await dropEmptyLogPartitions(db, later);
  expect(await namesOf(db)).not.toContain(kept);
  await insertLines(db, run, 1);
  expect((await places(db))[run]).toBe('execution_log_default');
});
