import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readRows, writeRows } from '../src/db/copying/rows.ts';
import { digest, isSame, listTables, SESSION, type Table } from '../src/db/copying/tables.ts';
import { createTables } from '../src/roles/setup/create-tables.ts';
import { report } from './figures.ts';
import { startOwnPostgres } from './own-postgres.ts';

// Moves a database of a million rows that is broken off at ten random moments, and then once without a break. The
// reference is a plain COPY of the same tables in the same run, which neither resumes nor compares.
const ROWS = Number(process.env.ROWS ?? 1_000_000);
const BREAKS = Number(process.env.BREAKS ?? 10);
/** Time until a process begins to move, which no kill should fall into. */
const STARTS_WITHIN_MS = 1_000;

const server = await startOwnPostgres();
const urlOf = (name: string): string => {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
};

async function connect(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  await client.query(SESSION);
  return client;
}

async function create(name: string): Promise<void> {
  const admin = await connect('postgres');
  await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: urlOf(name), max: 1 });
  await createTables(pool);
  await pool.end();
}

/** Rows of the shapes that a service has most of: users, and comments in annotations. */
async function fill(): Promise<void> {
  const source = await connect('source');
  await source.query(`insert into users (api_key_id, user_id, name, email, body, created_at, updated_at)
    select 'key-' || n % 7, 'user-' || n, 'Name ' || n, n || '@example.com',
      jsonb_build_object('name', 'Name ' || n, 'color', md5(n::text)), n, n from generate_series(1, ${ROWS / 2}) as n`);
  await source.query(`insert into grants (api_key_id, organization_id, resource_type, resource_id, user_id, access_role,
      created_at, updated_at)
    select 'key-' || n % 7, 'org-' || n % 100, 'document', 'document-' || n % 10000, 'user-' || n, 'editor', n, n
      from generate_series(1, ${ROWS / 2}) as n`);
  await source.query('analyze');
  await source.end();
}

const MOVER = `
  const { moveDatabase } = await import(${JSON.stringify(join(import.meta.dirname, '../src/roles/move/move-database.ts'))});
  const [source, target] = process.argv.slice(1);
  await moveDatabase({ source: { connectionString: source }, target: { connectionString: target },
    targetName: target, onProgress: () => {} });`;

/** Moves in a process of its own; kills it after a time. Returns true if it was complete before. */
async function move(target: string, killAfterMs?: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', MOVER, urlOf('source'), urlOf(target)],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  if (killAfterMs !== undefined) {
    await Promise.race([ended, sleep(killAfterMs)]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  if (code !== 0 && signal === null) throw new Error(`The move ended with ${code}.`);
  return code === 0;
}

async function expectSame(target: string): Promise<void> {
  const [from, to] = [await connect('source'), await connect(target)];
  for (const table of await listTables(from)) {
    if (!isSame(await digest(from, table), await digest(to, table)))
      throw new Error(`${table.name} differs.`);
  }
  await from.end();
  await to.end();
}

async function plainCopy(): Promise<number> {
  const [from, to] = [await connect('source'), await connect('plain')];
  const tables = (await listTables(from)).filter(({ name }) =>
    ['public.users', 'public.grants'].includes(name),
  );
  const began = performance.now();
  const copy = (table: Table) => writeRows(to, table, readRows(from, table, { partBytes: 4_194_304 }));
  for (const table of tables) await copy(table);
  const ms = performance.now() - began;
  await from.end();
  await to.end();
  return ms;
}

try {
  for (const name of ['source', 'plain', 'whole', 'broken']) await create(name);
  await fill();
  const plainMs = await plainCopy();
  const began = performance.now();
  await move('whole');
  const wholeMs = performance.now() - began;
  await expectSame('whole');
  const marked = await connect('source');
  await marked.query('drop table redpen_moved');
  await marked.end();

  let breaks = 0;
  const brokenAt: number[] = [];
  while (breaks < BREAKS) {
    const after = STARTS_WITHIN_MS + Math.random() * wholeMs * 0.2;
    if (await move('broken', after)) break;
    brokenAt.push(Math.round(after));
    breaks++;
  }
  const again = performance.now();
  await move('broken');
  const lastMs = performance.now() - again;
  await expectSame('broken');
  console.log(
    `broken off ${breaks} times, after ${brokenAt.join(', ')} ms; the last run took ${Math.round(lastMs)} ms`,
  );
  console.log(`plain COPY ${Math.round(plainMs)} ms, move ${Math.round(wholeMs)} ms`);
  report({
    name: `move of ${ROWS} rows`,
    value: wholeMs / 1_000,
    unit: 's',
    references: { 'COPY without comparison': plainMs / 1_000 },
  });
} finally {
  await server.stop();
}
