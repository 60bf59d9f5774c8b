import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { openDatabase } from './connections/connect.ts';
import { migrate, migrator } from './migrate.ts';

type Row = Record<string, unknown>;

const VALUES: Record<string, (step: number) => string> = {
  bigint: String,
  xid8: String,
  'timestamp with time zone': (step) => `2026-01-01T00:00:${String(step).padStart(2, '0')}Z`,
  integer: String,
  smallint: String,
  // At most one account is that of the operator.
  boolean: () => 'false',
  'double precision': (step) => `${step}.5`,
  jsonb: (step) => `{"step": ${step}}`,
  'text[]': (step) => `{step,${step}}`,
  tsvector: (step) => `'step':1 '${step}':2`,
  bytea: (step) => `\\x00ff${String(step).padStart(2, '0')}`,
};

/** Tables that a migration removes, with what only they held. */
const DROPPED = ['event_receipts'];

/** Columns whose values a migration derives anew; `migrate.test.ts` checks them. */
const DERIVED: Record<string, readonly string[]> = {
  webhook_deliveries: ['order_key'],
  execution_findings: ['body', 'fingerprint'],
};

interface Column {
  table: string;
  name: string;
  type: string;
}

/** The columns of all tables of the service, without those that the database fills. */
async function columnsOf(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select t.relname as table, c.attname as name, format_type(c.atttypid, c.atttypmod) as type
      from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
        and t.relname not like 'kysely%'
        and c.attgenerated = '' order by t.relname, c.attnum`,
  );
  return rows;
}

/** Adds a row to every table, whose values follow from the names of its columns, so that references match. */
async function addRows(client: pg.Client, step: number): Promise<[string, Row][]> {
  const added: [string, Row][] = [];
  for (const [table, columns] of Map.groupBy(await columnsOf(client), (column) => column.table)) {
    const values = columns.map(({ name, type }) => {
      if (type === 'text') return `${name === 'parent_id' ? 'folder_id' : name} of step ${step}`;
      const value = VALUES[type];
      if (value === undefined) throw new Error(`No value for ${table}.${name} of type ${type}.`);
      return value(step);
    });
    const names = columns.map(({ name }) => name).join(', ');
    const parameters = columns.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ');
    const { rows } = await client.query<{ row: Row }>(
      `insert into ${table} (${names}) overriding system value values (${parameters}) returning to_jsonb(${table}) as row`,
      values,
    );
    added.push([table, rows[0]!.row]);
  }
  return added;
}

test('rows that were written after each of the migrations are there after the newest, with the same values', async () => {
  const { url, drop } = await newDatabase({ empty: true });
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  const asSuperuser = new URL(inject('databases').admin);
  asSuperuser.pathname = new URL(url).pathname;
  const client = new pg.Client({ connectionString: asSuperuser.href });
  await client.connect();
  try {
    // Tables come in any order, and the values of all rows of a step refer to each other.
    await client.query('set session_replication_role = replica');
    const steps = (await migrator(database.db).getMigrations()).map(({ name }) => name);
    const added: { step: string; table: string; row: Row }[] = [];
    for (const [index, step] of steps.entries()) {
      const { error } = await migrator(database.db).migrateTo(step);
      expect(error).toBeUndefined();
      for (const [table, row] of await addRows(client, index + 1)) added.push({ step, table, row });
    }
    expect(await migrate(database.db)).toEqual([]);
    expect(added.length).toBeGreaterThan(500);

    const left = new Set((await columnsOf(client)).map(({ table }) => table));
    const lost: string[] = [];
    for (const [table, rows] of Map.groupBy(added, (one) => one.table)) {
      if (DROPPED.includes(table)) continue;
      if (!left.has(table)) {
        lost.push(table);
        continue;
      }
      const { rows: found } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`);
      for (const { step, row } of rows) {
        const isThere = found.some((now) =>
          Object.entries(row).every(
            ([name, value]) =>
              !(name in now.row) ||
              DERIVED[table]?.includes(name) ||
              JSON.stringify(now.row[name]) === JSON.stringify(value),
          ),
        );
        if (!isThere) lost.push(`${table} of ${step}`);
      }
    }
    expect(lost).toEqual([]);
  } finally {
    await client.end();
    await database.close();
    await drop();
  }
});
