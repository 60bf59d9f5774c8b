import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { capturing } from '../../test/database/captured-queries.ts';
import { newDatabase } from '../../test/database/new-database.ts';
import { planOf } from '../../test/database/query-plan.ts';
import { until } from '../../test/run/until.ts';
import { openDatabase } from '../db/connections/connect.ts';
import type { Tx } from '../db/tables.ts';
import { countAhead, indexWaitingJobs, tooManyWaiting, turnOf } from './waiting.ts';

const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);

/** Opens a separate database with the tables of the queue. */
async function open() {
  const { url } = await newDatabase();
  const { db, close } = await openDatabase({ databaseUrl: url, onError });
  onTestFinished(close);
  const { db: captured, queries } = capturing(db);
  return {
    db,
    tx: captured as Tx,
    /** The number of rows that the statements since the last call read. */
    rowsRead: () =>
      db.transaction().execute(async (tx) => {
        let sum = 0;
        for (const query of queries.splice(0)) sum += (await planOf(tx, query)).rowsRead;
        return sum;
      }),
    /** Adds 5,000 jobs of a key, numbered in order of their start; of the completed ones, 30 are recent. */
    async fill(name: string, apiKeyId: string, state = 'created') {
      await sql`insert into jobs.job (name, group_id, priority, singleton_key, state, completed_on)
        select ${name}, ${apiKeyId}, -n, ${`${apiKeyId} `} || n, ${state}::jobs.job_state,
          case when ${state} = 'completed' then now() + make_interval(hours => case when n <= 30 then 1 else -1 end) end
        from generate_series(1, 5000) as n`.execute(db);
      await sql`analyze jobs.job`.execute(db);
    },
  };
}

test('computing a turn reads one row of the queue and one of the key, however many jobs wait', async () => {
  const { tx, fill, rowsRead } = await open();
  await fill('notification.email', 'a');
  expect(await turnOf(tx, 'notification.email', 'a')).toEqual({ priority: -5_001, waiting: 0 });
  expect(await rowsRead()).toBeLessThanOrEqual(2);
});

test('waiting jobs of a key are counted up to the requested limit', async () => {
  const { tx, fill, rowsRead } = await open();
  await fill('agent.run', 'a');
  expect(await turnOf(tx, 'agent.run', 'a', 300)).toEqual({ priority: -5_001, waiting: 300 });
  expect(await rowsRead()).toBeLessThanOrEqual(302);
});

test('a refusal reads a few rows, however many jobs have ended', async () => {
  const { tx, fill, rowsRead } = await open();
  await fill('agent.run', 'a', 'completed');
  await fill('agent.run', 'b', 'completed');
  const refused = await tooManyWaiting(tx, 'agent.run', 'a', 'executions', 300);
  expect(refused.retryAfterSeconds).toBe(2);
  expect(await rowsRead()).toBeLessThanOrEqual(60);
});

test('jobs ahead are counted up to a thousand', async () => {
  const { tx, fill, rowsRead } = await open();
  await fill('agent.run', 'a');
  const ahead = (number: number) => countAhead(tx, 'agent.run', `a ${number}`);
  expect([await ahead(1), await ahead(1_000), await ahead(1_001), await ahead(5_000)]).toEqual([
    0, 999, 1_000, 1_000,
  ]);
  await rowsRead();
  await ahead(5_000);
  expect(await rowsRead()).toBeLessThanOrEqual(1_001);
});

test('processes that start concurrently create the indexes once', async () => {
  const { db } = await open();
  const indexes = async () => {
    const { rows } = await sql<{ name: string }>`select indexrelid::regclass::text as name from pg_index
      where indrelid = 'jobs.job'::regclass and indexrelid::regclass::text like 'jobs.job!_%' escape '!'
      order by 1`.execute(db);
    return rows.map(({ name }) => name);
  };
  const before = await indexes();
  for (const name of before.filter((one) => !one.endsWith('_pkey')))
    await sql`drop index ${sql.raw(name)}`.execute(db);
  const starts = await db.transaction().execute(async (tx) => {
    // A writer, so that all of them have started before one continues.
    await sql`lock table jobs.job in row exclusive mode`.execute(tx);
    const begun = [1, 2, 3, 4].map(() => indexWaitingJobs(db));
    void Promise.allSettled(begun);
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length === begun.length;
    }, 'all to wait');
    return begun;
  });
  await Promise.all(starts);
  expect(await indexes()).toEqual(before);
});
