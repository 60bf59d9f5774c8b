import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../test/harness.ts';
import { closingSteps, organizationSteps } from './erasure.ts';

/** Rows that name users and go with others, or hold them no longer than it takes to forget them. */
const GO_BY_THEMSELVES = ['notification_emails', 'data_deletions'];

test('every table that says whose a row is, is gone through when a user is forgotten', async () => {
  const { deps } = await testApp();
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)(user|author)_ids?$'
    order by table_name`.execute(deps.db);
  const known = [...organizationSteps, ...closingSteps].map((step) => step.name);
  const tables = rows.map((row) => row.table);
  expect(tables).toEqual(expect.arrayContaining(['comments', 'grants', 'users']));
  expect(tables.filter((table) => !known.includes(table) && !GO_BY_THEMSELVES.includes(table))).toEqual([]);
});
