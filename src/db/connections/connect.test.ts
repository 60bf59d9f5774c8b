import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startTunnel } from '../../../test/fakes/tunnel.ts';
import { until } from '../../../test/run/until.ts';
import { testApp } from '../../../test/service/harness.ts';
import { newId } from '../../lib/ids.ts';
import { json } from '../sql-fragments.ts';
import type { Db } from '../tables.ts';
import { openDatabase } from './connect.ts';

test('both kinds of database return the same values for every type of the schema', async () => {
  const { deps } = await testApp();
  const { rows } = await sql<
    Record<string, unknown>
  >`select cast(5000000000 as bigint) as big, cast(7 as integer) as small,
    cast('{"a_b":[1,null]}' as jsonb) as doc, true as yes, cast('x' as text) as word, count(*) as n, '\\x0102'::bytea as bytes,
    cast(1.5 as numeric) as num from (values (1),(2)) as t(v)`.execute(deps.db);
  expect(rows[0]).toEqual({
    big: 5_000_000_000,
    small: 7,
    doc: { a_b: [1, null] },
    yes: true,
    word: 'x',
    n: 2,
    bytes: new Uint8Array([1, 2]),
    num: 1.5,
  });
});

test('both kinds of database return the same row counts for each kind of statement', async () => {
  const { deps } = await testApp();
  const { db } = deps;
  const bucket = newId('b');
  const row = (name: string) => ({ bucket: `${bucket}${name}`, windowStart: 0, used: 0 });
  const counts = async () => {
    const inserted = await db
      .insertInto('rateCounters')
      .values([row('1'), row('2')])
      .executeTakeFirst();
    const ignored = await db
      .insertInto('rateCounters')
      .values(row('1'))
      .onConflict((c) => c.doNothing())
      .executeTakeFirst();
    const updated = await db
      .updateTable('rateCounters')
      .set({ used: 5 })
      .where('bucket', 'like', `${bucket}%`)
      .executeTakeFirst();
    const deleted = await db
      .deleteFrom('rateCounters')
      .where('bucket', 'like', `${bucket}%`)
      .executeTakeFirst();
    return [
      inserted.numInsertedOrUpdatedRows,
      ignored.numInsertedOrUpdatedRows,
      updated.numUpdatedRows,
      deleted.numDeletedRows,
    ];
  };
  expect(await counts()).toEqual([2n, 0n, 2n, 2n]);
});

test('a statement of the job queue never runs inside an open transaction of a request', async () => {
  const { deps, database } = await testApp();
  const bucket = newId('b');
  const rolledBack = deps.db
    .transaction()
    .execute(async (tx) => {
      await tx.insertInto('rateCounters').values({ bucket, windowStart: 0, used: 1 }).execute();
      await database.forJobs.executeSql(
        `insert into rate_counters (bucket, window_start, used) values ('${bucket}-queue', 0, 0)`,
      );
      throw new Error('undo');
    })
    .catch(() => {});
  await rolledBack;
  await expect
    .poll(() =>
      deps.db.selectFrom('rateCounters').select('bucket').where('bucket', 'like', `${bucket}%`).execute(),
    )
    .toEqual([{ bucket: `${bucket}-queue` }]);
});

test('a job enqueued in a transaction exists after a commit, and not after a rollback', async () => {
  const { deps } = await testApp();
  const ref = { workspaceId: newId('w'), apiKeyId: newId('k'), executionId: newId('e') };
  const count = async () => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from jobs.job where data->>'executionId' = ${ref.executionId}`.execute(deps.db);
    return rows[0]!.n;
  };
  await deps.db
    .transaction()
    .execute(async (tx) => {
      await deps.jobs.enqueue(tx, 'agent.run', ref);
      throw new Error('undo');
    })
    .catch(() => {});
  expect(await count()).toBe(0);
  await deps.db.transaction().execute((tx) => deps.jobs.enqueue(tx, 'agent.run', ref));
  expect(await count()).toBe(1);
});

test('arrays and objects in jsonb survive a round trip', async () => {
  const { deps } = await testApp();
  const value = [{ camelCase: 1, snake_case: [true] }, null];
  const { rows } = await sql<{ v: unknown }>`select ${json(value)} as v`.execute(deps.db);
  expect(rows[0]!.v).toEqual(value);
});

/** Connects to the database of the tests through a tunnel that can be cut. */
async function startTunnelToDatabase() {
  const { host, port, user, password, database } = new pg.Client(process.env.DATABASE_URL);
  const socket = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
  const tunnel = await startTunnel(socket);
  const url = `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${tunnel.port}/${database}`;
  return { tunnel, url, [Symbol.asyncDispose]: () => tunnel[Symbol.asyncDispose]() };
}

test('a connection that breaks during a transaction fails only that transaction', async () => {
  await using route = await startTunnelToDatabase();
  const errors: Error[] = [];
  const database = await openDatabase({ databaseUrl: route.url, onError: (error) => errors.push(error) });
  const { db } = database;
  // The transaction uses one of two connections, and the error of the other one shows that the network is gone.
  await db
    .connection()
    .execute((one) =>
      db
        .connection()
        .execute((other) => Promise.all([one, other].map((each) => sql`select 1`.execute(each)))),
    );
  const work = db.transaction().execute(async (tx) => {
    await route.tunnel.close();
    // The connection is idle when it breaks, so that no query fails with it.
    await until(() => errors.length > 0, 'the error of the connection');
    await sql`select 1`.execute(tx);
  });
  await expect(work).rejects.toThrow(/Client has encountered a connection error|not queryable/);
  // Errors are logged, so they must not carry a connection with all its settings.
  expect(errors.filter((error) => 'client' in error)).toEqual([]);
  await database.close();
});

test('a connection whose end the server announces is not used again', async () => {
  await using route = await startTunnelToDatabase();
  const database = await openDatabase({ databaseUrl: route.url, onError: () => {} });
  route.tunnel.delayEnds();
  const own = sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.db);
  await expect(own).rejects.toMatchObject({ code: '57P01' });
  const { rows } = await sql`select 1 as one`.execute(database.db);
  expect(rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('a listener is notified when listening stops, and when it works again', async () => {
  await using route = await startTunnelToDatabase();
  const database = await openDatabase({ databaseUrl: route.url, onError: () => {} });
  const changes: boolean[] = [];
  await database.listen(
    'news',
    () => {},
    (isListening) => changes.push(isListening),
  );
  await expect.poll(() => changes).toEqual([true]);
  await route.tunnel.close();
  await route.tunnel.reopen();
  await expect.poll(() => changes, { timeout: 300_000 }).toEqual([true, false, true]);
  await database.close();
});

test('work without a timeout has no statement limit', async () => {
  const { database } = await testApp();
  const { rows } = await database.withoutTimeout(
    (db) => sql<{ limit: string }>`select current_setting('statement_timeout') as "limit"`.execute(db),
    new AbortController().signal,
  );
  expect(rows).toEqual([{ limit: '0' }]);
});

test('work without a timeout ends if its signal fires during a statement', async () => {
  const { database } = await testApp();
  const stopping = new AbortController();
  const working = database.withoutTimeout(async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    void isActive(database.db, rows[0]!.pid).then(() => stopping.abort());
    await sql`select pg_sleep(600)`.execute(db);
  }, stopping.signal);
  await expect(working).rejects.toMatchObject({ code: '57014' });
});

test('work without a timeout ends if its signal fires between two statements', async () => {
  const { database } = await testApp();
  const stopping = new AbortController();
  const working = database.withoutTimeout(async (db) => {
    stopping.abort();
    // The first cancel finds no statement to end, so it must be repeated.
    for (let count = 0; count < 10; count++) await sql`select 1`.execute(database.db);
    await sql`select pg_sleep(600)`.execute(db);
  }, stopping.signal);
  await expect(working).rejects.toMatchObject({ code: '57014' });
});

/** Waits until a connection executes a `pg_sleep`. */
const isActive = (db: Db, pid: number) =>
  until(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where pid = ${pid} and state = 'active' and wait_event = 'PgSleep'`.execute(db);
    return rows.length > 0;
  }, 'the statement');

test('requests may use most of the connections, and leave some for background work', async () => {
  const { deps } = await testApp();
  expect(deps.database.requestConnections).toBeGreaterThan(8);
  expect(Number.isInteger(deps.database.requestConnections)).toBe(true);
});
