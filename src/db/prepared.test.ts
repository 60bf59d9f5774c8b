import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../test/harness.ts';
import { inTransaction, preparedVariants, statementNameOf } from './prepared.ts';

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
