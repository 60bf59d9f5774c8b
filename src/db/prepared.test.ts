import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../test/service/harness.ts';
import { inTransaction, preparedShapes, preparedVariants, statementNameOf } from './prepared.ts';
import { json } from './sql-fragments.ts';

test('the variants of a statement are prepared by their text, up to a limit', async () => {
  const { deps } = await testApp();
  const run = preparedVariants();
  const variant = (number: number, value: string) =>
    sql<{ found: string }>`select cast(${value} as text) as found, ${sql.lit(number)} as variant`;
  for (let number = 0; number < 20; number++)
    expect(await run(deps.db, variant(number, `v${number}`))).toMatchObject([{ found: `v${number}` }]);
  expect(await run(deps.db, variant(0, 'again'))).toMatchObject([{ found: 'again' }]);
  const names = Array.from({ length: 20 }, (_, number) =>
    statementNameOf(variant(number, '').compile(deps.db).sql),
  );
  const prepared = names.filter((name) => name !== undefined);
  expect(new Set(prepared).size).toBe(8);
  expect(names.slice(0, 8)).toEqual(prepared);
});

test('a query is built once for each shape, up to a limit, and takes its arguments at every run', async () => {
  const { deps } = await testApp();
  const built: number[] = [];
  const run = preparedShapes((_, { text, list }: { text: string; list: string[] }, shape: number) => {
    built.push(shape);
    return sql<object>`select cast(${text} as text) as text, ${json(list)} as list, ${sql.lit(shape)} as shape`;
  });
  for (let shape = 0; shape < 10; shape++)
    for (const text of ['one', 'two'])
      expect(await run(deps.db, { text, list: [text] }, shape)).toEqual([{ text, list: [text], shape }]);
  expect(built).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9]);
});

test('arguments that are not known yet cannot become part of a text', async () => {
  const { deps } = await testApp();
  const careless = preparedShapes((_, { list }: { list: string[] }) => sql`select ${JSON.stringify(list)}`);
  await expect(careless(deps.db, { list: [] }, {})).rejects.toThrow('is not known yet');
  const spread = preparedShapes((_, args: { text: string }) => sql`select ${{ ...args }.text}`);
  await expect(spread(deps.db, { text: '' }, {})).rejects.toThrow('by their names');
});

test('work of several statements is one transaction, its own or that around it', async () => {
  const { deps } = await testApp();
  const transactionIds = inTransaction(async (tx) => {
    const select = sql<{ id: string }>`select cast(pg_current_xact_id() as text) as id`;
    return [...(await select.execute(tx)).rows, ...(await select.execute(tx)).rows];
  });
  const own = await transactionIds.run(deps.db);
  expect(own[0]).toEqual(own[1]);
  const outer = await deps.db
    .transaction()
    .execute(async (tx) => [
      ...(await transactionIds.run(tx)),
      ...(await sql<{ id: string }>`select cast(pg_current_xact_id() as text) as id`.execute(tx)).rows,
    ]);
  expect(new Set(outer.map(({ id }) => id)).size).toBe(1);
});
