import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase, readOnly } from '../../../test/database/new-database.ts';
import { until } from '../../../test/run/until.ts';
import type { Tables } from '../tables.ts';
import { openDatabase } from './connect.ts';
import { openReplicas, type Replicas } from './replicas.ts';
import { shared } from './wal-position.ts';

const onError = () => {};

async function openWithReplica(replicaUrl: (url: string) => string = readOnly) {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const database = await openDatabase({ databaseUrl: url, replicaUrls: [replicaUrl(url)], onError });
  onTestFinished(() => database.close());
  return { url, database, replicas: database.replicas! };
}

const isReadOnly = async (db: Kysely<Tables>): Promise<boolean> => {
  const { rows } = await sql<{
    value: string;
  }>`select current_setting('transaction_read_only') as value`.execute(db);
  return rows[0]!.value === 'on';
};

const ready = (replicas: Replicas) =>
  until(async () => {
    await replicas.look();
    return replicas.states().every(({ fault }) => fault === undefined);
  });

test('reads go to a replica', async () => {
  const { replicas } = await openWithReplica();
  await ready(replicas);
  expect(await replicas.read(isReadOnly)).toBe(true);
});

test('a read that writes, and one that a conflict ends, are answered by the primary', async () => {
  const { replicas } = await openWithReplica();
  await ready(replicas);
  const written = await replicas.read(async (db) => {
    await db
      .insertInto('allowedHosts')
      .values({ entry: 'a.example', createdAt: 1, inForceAt: null })
      .execute();
    return 'written';
  });
  expect(written).toBe('written');
  let isFirst = true;
  const answered = await replicas.read(async (db) => {
    if (!isFirst) return await isReadOnly(db);
    isFirst = false;
    return await sql`do $$ begin raise exception 'canceling statement due to conflict with recovery'
      using errcode = '40001'; end $$`.execute(db);
  });
  expect(answered).toBe(false);
  // Neither takes the replica out of use.
  expect(await replicas.read(isReadOnly)).toBe(true);
});

test('an error of the read itself is the error of the read', async () => {
  const { replicas } = await openWithReplica();
  await ready(replicas);
  await expect(replicas.read((db) => sql`select 1 / 0`.execute(db))).rejects.toThrow('division by zero');
  await expect(replicas.read(() => Promise.reject(new Error('No such document.')))).rejects.toThrow(
    'No such document.',
  );
  expect(replicas.states()[0]!.fault).toBeUndefined();
});

test('a replica that is lost while it reads is replaced by the primary, and used again later', async () => {
  const { url, replicas } = await openWithReplica();
  await ready(replicas);
  const changes: (string | undefined)[] = [];
  replicas.onChange(() => changes.push(replicas.states()[0]!.fault));
  let isFirst = true;
  const answered = await replicas.read(async (db) => {
    if (!isFirst) return await isReadOnly(db);
    isFirst = false;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const ended = sql`select pg_sleep(600)`.execute(db);
    ended.catch(() => {});
    await until(async () => {
      const stopped = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query = 'select pg_sleep(600)'`,
      );
      return stopped.rowCount === 1;
    });
    await client.end();
    return await ended;
  });
  expect(answered).toBe(false);
  expect(changes).toEqual([expect.stringContaining('terminating connection')]);
  await ready(replicas);
  expect(changes).toEqual([expect.any(String), undefined]);
  expect(await replicas.read(isReadOnly)).toBe(true);
});

test('a server with other data, or none, is not used', async () => {
  const other = await newDatabase();
  onTestFinished(other.drop);
  const { replicas } = await openWithReplica(() => readOnly(other.url));
  await replicas.look();
  expect(replicas.states()[0]!.fault).toBe('It is a server of other data than that of DATABASE_URL.');
  expect(await replicas.read(isReadOnly)).toBe(false);

  const absent = await openWithReplica(() => 'postgres://redpen@127.0.0.1:9/redpen');
  await absent.replicas.look();
  expect(absent.replicas.states()[0]).toMatchObject({
    name: '127.0.0.1:9',
    fault: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await absent.replicas.read(isReadOnly)).toBe(false);
});

test('a primary that cannot be asked is named as the reason, and not the replica', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const primary = await openDatabase({ databaseUrl: url, onError });
  await primary.close();
  const replicas = openReplicas({ primary: primary.db, urls: [readOnly(url)], onStatement: () => {} })!;
  onTestFinished(() => replicas.close());
  await replicas.look();
  expect(replicas.states()[0]!.fault).toMatch(/^The primary cannot be asked how far it is: .*pool/);
});

test('questions that wait share the next answer, and none gets one that was asked for before', async () => {
  let asked = 0;
  const pending: ((value: number) => void)[] = [];
  const ask = shared(() => {
    asked++;
    return new Promise<number>((resolve) => pending.push(resolve));
  });
  const first = ask();
  const [second, third] = [ask(), ask()];
  expect(asked).toBe(1);
  pending[0]!(1);
  expect(await first).toBe(1);
  await until(() => pending.length === 2);
  pending[1]!(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  expect(asked).toBe(2);
});
