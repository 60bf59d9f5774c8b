import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { openOldDatabase } from '../../src/roles/carry-over/old-database.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATIONS = join(ROOT, 'src/db/migrations');

type Row = Record<string, unknown>;
/** Rows by table, each as JSON from the database, without vectors. */
type Rows = Record<string, Row[]>;

export interface OldRows {
  rows: Rows;
  /** A waiting job. */
  job: { queue: string; id: string; data: object };
  /** Number of rows of queue statistics of a past day. */
  oldQueueStats: number;
  /** Sequence number of the next live event. */
  nextLiveEvent: number;
}

/**
 * Creates a data folder of PGlite with the schema of `lastMigration`: rows in every table with values that a copy easily
 * damages, many rows in one table and a long row in another, and waiting jobs.
 */
export async function buildOldFolder(folder: string, lastMigration: string): Promise<OldRows> {
  const old = await openOldDatabase(folder, ROOT, {});
  try {
    const pool = old.pool;
    await pool.query('create extension vector');
    await migrateTo(pool, lastMigration);
    // The current migrations create these columns without the extension.
    if (lastMigration >= '0008') {
      for (const table of ['judgment_vectors', 'knowledge_vectors']) {
        await pool.query(`alter table ${table} drop column embedding, add column embedding vector not null`);
      }
    }
    await fillTables(pool);
    await pool.query(`insert into grants select 'many', 'o', 'document', 'd' || n, 'u', 'editor', n, null, n, n
      from generate_series(1, 5000) n`);
    await pool.query(
      `insert into users values ('long', 'u', repeat('long "\\\\ ''😀', 700000), null, '{}', 1, 2)`,
    );
    const { rows } = await pool.query<{ next: string }>(`insert into live_events
      (api_key_id, organization_id, event_id, name, created_at) values ('k', 'o', 'e', 'n', 1) returning seq + 1 as next`);
    const job = await fillQueue(pool);
    return { rows: await readRows(pool), ...job, nextLiveEvent: Number(rows[0]!.next) };
  } finally {
    await old.close();
  }
}

/** All rows of the tables of the service. */
export async function readRows(client: pg.Pool | pg.Client): Promise<Rows> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
        and tablename <> 'judgment_deletions_floor'`,
  );
  const all: Rows = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: Row }>(
      `select to_jsonb(t) - 'embedding' as row from ${name} t`,
    );
    // Migration 0010 drops these columns, since a vector has them through its judgment.
    if (name === 'judgment_vectors') {
      for (const { row } of rows) {
        delete row.organization_id;
        delete row.document_id;
      }
    }
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

async function migrateTo(pool: pg.Pool, last: string): Promise<void> {
  const migrations: Record<string, Migration> = {};
  for (const file of readdirSync(MIGRATIONS).sort()) {
    if (file.slice(0, 4) > last) continue;
    migrations[file.replace(/\.ts$/, '')] = (await import(join(MIGRATIONS, file))) as Migration;
  }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error) throw error;
}

/** By type, the value in the first row and in the second, in which nullable columns are null. */
const VALUES: Record<string, [string, string]> = {
  bigint: ['9007199254740993', '-1'],
  integer: ['2147483647', '-2147483648'],
  smallint: ['32767', '-32768'],
  boolean: ['true', 'false'],
  'double precision': ['0.1', '-Infinity'],
  jsonb: [
    '{"a": "\\\\ \\" \\u0001 😀", "n": 12345678901234567890.1234567890, "x": {"": [null, "\\\\u0000", true, {}]}}',
    '[]',
  ],
  'text[]': ['{"a,b","\\"q\\"","NULL","","c\\\\d",NULL}', '{}'],
  tsvector: [`'it''s':1A,5 'a b':2B '\\\\':3`, ''],
  bytea: [`\\x${Buffer.from([...Array(256).keys()]).toString('hex')}`, '\\x'],
  vector: ['[32767,-123,4]', '[-2.5,0,1]'],
};

async function fillTables(pool: pg.Pool): Promise<void> {
  const { rows: columns } = await pool.query<{
    table: string;
    name: string;
    type: string;
    optional: boolean;
  }>(
    `select t.relname as table, c.attname as name, format_type(c.atttypid, c.atttypmod) as type,
        not c.attnotnull as optional
      from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and t.relname not like 'kysely%'
        and c.attgenerated = '' order by t.relname, c.attnum`,
  );
  const tables = Map.groupBy(columns, (column) => column.table);
  const insert = async (variant: 0 | 1) => {
    for (const [table, tableColumns] of tables) {
      const values = tableColumns.map(({ name, type, optional }) => {
        if (variant === 1 && optional) return null;
        // Each folder is its own parent, so that the reference holds.
        const word = name === 'parent_id' ? 'folder_id' : name;
        if (type === 'text') return `${word} 'q' "d" \\ \\n \t\n\u0001 😀 é ${variant}`;
        const value = VALUES[type]?.[variant];
        if (value === undefined) throw new Error(`No value for ${table}.${name} of type ${type}.`);
        return value;
      });
      const names = tableColumns.map(({ name }) => name).join(', ');
      const parameters = tableColumns.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ');
      await pool.query(`insert into ${table} (${names}) values (${parameters})`, values);
    }
  };
  // Values follow from column names, so that references match. Foreign keys are off, since tables come in any order.
  await pool.query('set session_replication_role = replica');
  await insert(0);
  await insert(1);
  await pool.query('set session_replication_role = origin');
  await pool.query(`insert into folders select api_key_id, organization_id, 'a child', name, folder_id, ancestors,
    access_type, effective_access_type, metadata, created_at, updated_at from folders where name like '%0'`);
  // The update moves the parents behind the child in the table.
  await pool.query(`update folders set name = name where folder_id <> 'a child'`);
}

async function fillQueue(pool: pg.Pool): Promise<Pick<OldRows, 'job' | 'oldQueueStats'>> {
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values);
  const boss = new PgBoss({ db: { executeSql }, schema: 'jobs', supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const queue = 'notification.email';
  await boss.createQueue(queue, { retryLimit: 3 });
  await boss.createQueue('agent.run', {});
  await boss.schedule('agent.run', '17 3 * * *', {});
  const data = { text: `'q' "d" \\ 😀 \u0001`, nested: { a: [1, null, 'x'] } };
  const id = await boss.send(queue, data);
  await boss.send('agent.run', { at: 1 });
  await boss.stop({ graceful: false, close: false });
  await pool.query(
    `update jobs.job set keep_until = 'infinity', expire_seconds = 77 where name = 'agent.run'`,
  );
  await pool.query(`create table jobs.queue_stats_20250101 partition of jobs.queue_stats
    for values from ('2025-01-01') to ('2025-01-02')`);
  await pool.query(
    `insert into jobs.queue_stats (name, captured_on) values ('${queue}', '2025-01-01 12:00:00.123456+00')`,
  );
  return { job: { queue, id: id!, data }, oldQueueStats: 1 };
}
