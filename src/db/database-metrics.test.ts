import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { riseOf } from '../../test/house/metric-counts.ts';
import { testApp } from '../../test/service/harness.ts';
import { countError, databaseErrors } from './database-metrics.ts';

test('failed statements are counted by the class of their error', async () => {
  const { database } = await testApp();
  const broken = () =>
    sql`select 1 / 0`.execute(database.db).then(
      () => expect.unreachable(),
      () => {},
    );
  expect(await riseOf(databaseErrors, { class: 'other' }, broken)).toBe(1);
});

test.each([
  ['08006', 'connection'],
  ['57P01', 'connection'],
  ['53300', 'resources'],
  ['57014', 'timeout'],
  ['40P01', 'conflict'],
  ['23505', 'constraint'],
  ['42601', 'other'],
  ['ECONNREFUSED', 'connection'],
])('an error with the code %s has the class %s', async (code, wanted) => {
  const count = async () => countError(Object.assign(new Error('x'), { code }));
  expect(await riseOf(databaseErrors, { class: wanted }, count)).toBe(1);
});

test('the pool reports the number of connections in use', async () => {
  const { database } = await testApp();
  await database.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx);
    expect(database.pool().inUse).toBeGreaterThanOrEqual(1);
  });
  const { idle, max, waiting } = database.pool();
  expect(idle).toBeGreaterThanOrEqual(1);
  expect(max).toBeGreaterThanOrEqual(idle);
  expect(waiting).toBe(0);
});
