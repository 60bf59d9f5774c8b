import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type NewDatabase, newDatabase } from '../../../test/database/new-database.ts';
import { digest, isSame, listTables, SESSION } from '../../db/copying/tables.ts';
import { MOVED_TABLE, refuseMoved } from '../../db/moved.ts';
import { moveDatabase } from './move-database.ts';

const BATCH_ROWS = 50;
/** Rows of tables with keys of one and of several columns, of texts that collations order differently, and of JSON. */
const ROWS = [
  `insert into allowed_hosts (entry, created_at)
    select chr(65 + n % 60) || n || '.example', n from generate_series(1, 333) as n`,
  `insert into users (api_key_id, user_id, name, body, created_at, updated_at)
    select 'key-' || n % 5, 'ü' || n, E'tab\\t, line\\n, \\\\ of ' || n, jsonb_build_object('name', 'N' || n, 'emoji', '✓'), n, n
      from generate_series(1, 777) as n`,
];

const clients: pg.Client[] = [];
const databases: NewDatabase[] = [];

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(SESSION);
  clients.push(client);
  return client;
}

afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  for (const { drop } of databases.splice(0)) await drop();
});

const move = (from: string, to: string, lines: string[] = []) =>
  moveDatabase({
    source: { connectionString: from },
    target: { connectionString: to },
    targetName: 'postgres://server/redpen',
    onProgress: (line) => void lines.push(line),
    batchRows: BATCH_ROWS,
  });

/** URL of a database with all tables. */
async function newTarget(): Promise<string> {
  const created = await newDatabase();
  databases.push(created);
  return created.url;
}

/** Moves in a process that is killed when a batch of the table has been copied. */
async function moveUntilKilled(from: string, to: string, table: string, batches: number): Promise<void> {
  const script = `
    const { default: pg } = await import('pg');
    const query = pg.Client.prototype.query;
    let left = ${batches};
    pg.Client.prototype.query = function (...words) {
      const isProgress = typeof words[0] === 'string' && words[0].includes('.progress values') && words[1]?.[0] === '${table}';
      if (isProgress && left-- === 0) process.kill(process.pid, 'SIGKILL');
      return query.apply(this, words);
    };
    const { moveDatabase } = await import(${JSON.stringify(join(import.meta.dirname, 'move-database.ts'))});
    await moveDatabase({ source: { connectionString: ${JSON.stringify(from)} }, batchRows: ${BATCH_ROWS},
      target: { connectionString: ${JSON.stringify(to)} }, targetName: 'postgres://server/redpen', onProgress() {} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

async function expectSame(from: pg.Client, to: pg.Client): Promise<void> {
  for (const table of await listTables(from))
    expect(isSame(await digest(from, table), await digest(to, table)), table.name).toBe(true);
}

const constraintsOf = async (client: pg.Client) => {
  const { rows } = await client.query(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as says from pg_constraint
      where connamespace in ('public'::regnamespace, 'jobs'::regnamespace) order by 1, 2`,
  );
  return rows;
};

test('a move that is killed twice is taken up, also if the source has changed, and both databases are the same', async () => {
  const source = await newTarget();
  const from = await connect(source);
  for (const text of ROWS) await from.query(text);
  const url = await newTarget();
  const to = await connect(url);
  await moveUntilKilled(source, url, 'public.users', 3);
  expect((await to.query('select count(*)::int as n from users')).rows).toEqual([{ n: 3 * BATCH_ROWS }]);
  // No service starts on half of the rows.
  await expect(refuseMoved(to)).rejects.toThrow('A move to this database is not complete');
  await moveUntilKilled(source, url, 'public.users', 2);
  expect((await to.query('select count(*)::int as n from users')).rows).toEqual([{ n: 5 * BATCH_ROWS }]);

  // A service that ran on the source in between has changed what was copied.
  await from.query("update allowed_hosts set created_at = 9 where entry = 'B1.example'");
  await from.query("delete from users where user_id = 'ü10'");
  const lines: string[] = [];
  const moved = await move(source, url, lines);
  expect(lines[0]).toBe('Taking up the move that was broken off.');
  expect(lines).toContain('public.allowed_hosts has changed since it was copied, and is copied again.');
  expect(moved).toContainEqual({ name: 'public.users', rows: 776 });
  await expectSame(from, to);
  const template = await connect(await newTarget());
  expect(await constraintsOf(to)).toEqual(await constraintsOf(template));

  await expect(refuseMoved(from)).rejects.toThrow(
    /^The data of this database was moved to postgres:\/\/server\/redpen on \d{4}-/,
  );
  await refuseMoved(to);

  // A move that was broken off after its last commit has nothing to do, and one to another place is refused.
  expect(await move(source, url)).toEqual(moved);
  await expect(move(source, await newTarget())).rejects.toThrow('The data of this database was moved to');

  // Back again, with what was written there: the rows that were moved away are replaced.
  await to.query("insert into allowed_hosts (entry, created_at) values ('later.example', 1)");
  await move(url, source);
  await expectSame(to, from);
  await refuseMoved(from);
});

test('a move that cannot be right is refused before a row is copied', async () => {
  const source = await newTarget();
  const from = await connect(source);
  await from.query(ROWS[0]!);
  const url = await newTarget();
  const to = await connect(url);
  await to.query("insert into allowed_hosts (entry, created_at) values ('there.example', 1)");
  await expect(move(source, url)).rejects.toThrow(
    'The database there is not empty: it has rows in allowed_hosts.',
  );
  await to.query('delete from allowed_hosts');

  const service = new pg.Client({ connectionString: source, application_name: 'redpen' });
  await service.connect();
  await expect(move(source, url)).rejects.toThrow('The database has 1 connection of a service');
  await service.end();

  await to.query('alter table users add column extra text');
  await expect(move(source, url)).rejects.toThrow('The schemas of the two databases differ');
  await to.query('alter table users drop column extra');

  await expect(move(source, 'postgres://x@127.0.0.1:1/x')).rejects.toThrow(
    'postgres://server/redpen cannot be used: connect ECONNREFUSED',
  );
  expect((await to.query('select from allowed_hosts')).rows).toEqual([]);
  expect((await from.query('select to_regclass($1) as it', [MOVED_TABLE])).rows).toEqual([{ it: null }]);
});

test('tables of another program stay where they are', async () => {
  const source = await newTarget();
  const from = await connect(source);
  await from.query(ROWS[0]!);
  await from.query('create table notes (id bigserial primary key)');
  const url = await newTarget();
  const lines: string[] = [];
  await move(source, url, lines);
  expect(lines[0]).toBe('public.notes is not a table of Redpen, and is left out.');
  const to = await connect(url);
  expect((await to.query('select count(*)::int as n from allowed_hosts')).rows).toEqual([{ n: 333 }]);
});

test('a move is not taken up by another database', async () => {
  const source = await newTarget();
  const from = await connect(source);
  await from.query(ROWS[0]!);
  const url = await newTarget();
  await moveUntilKilled(source, url, 'public.allowed_hosts', 1);
  const other = await newTarget();
  await (await connect(other)).query("update kysely_migration set timestamp = '2001-01-01T00:00:00.000Z'");
  await expect(move(other, url)).rejects.toThrow('A move of another database to this one is not complete');
});
