import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { openDatabase } from './connections/connect.ts';
import { limitResultSize, ResultTooLarge } from './result-size-limit.ts';

test('a result that grows too large is aborted, and the next statement works', async () => {
  const { url, drop } = await newDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => {});
  const limitResults = limitResultSize({ oneResult: 2_000_000, allResults: 3_000_000 });
  pool.on('connect', (client) => {
    client.on('error', () => {});
    limitResults(client);
  });
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  const rows = (count: number) =>
    pool.query("select repeat('x', 100000) as words from generate_series(1, $1)", [count]);
  expect((await rows(10)).rows).toHaveLength(10);
  await expect(rows(100)).rejects.toBeInstanceOf(ResultTooLarge);
  for (let turn = 0; turn < 10; turn++) expect((await rows(10)).rows).toHaveLength(10);
  // Together these exceed the limit, and one after the other they do not.
  const together = await Promise.allSettled([rows(15), rows(15), rows(15), rows(15)]);
  for (const outcome of together) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ResultTooLarge);
  }
  expect((await rows(15)).rows).toHaveLength(15);
});

test('a transaction with a result that grows too large fails with ResultTooLarge', async () => {
  const { url, drop } = await newDatabase();
  const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(async () => {
    await close();
    await drop();
  });
  const read = (count: number) =>
    db
      .transaction()
      .execute((tx) =>
        sql`select repeat('x', 1000000) as words from generate_series(1, ${count}::integer)`.execute(tx),
      );
  await expect(read(100)).rejects.toBeInstanceOf(ResultTooLarge);
  expect((await read(1)).rows).toHaveLength(1);
});
