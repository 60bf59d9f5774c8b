import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/service/harness.ts';
import { closingSteps, organizationSteps } from './erasure.ts';

/** Holds the ids of users to erase only while the erasure runs. */
const ERASES_ITSELF = 'data_deletions';

test('erasing a user covers every table with a column of user ids', async () => {
  const { deps } = await testApp();
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)((user|author)_ids?|(updated|created)_by)$'
    order by table_name`.execute(deps.db);
  const known = [...organizationSteps, ...closingSteps].map((step) => step.name);
  const tables = rows.map((row) => row.table);
  expect(tables).toEqual(
    expect.arrayContaining(['comments', 'crdt_editors', 'crdt_snapshots', 'grants', 'users']),
  );
  expect(tables.filter((table) => !known.includes(table) && table !== ERASES_ITSELF)).toEqual([]);
});
