import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type NewDatabase, newDatabase } from '../../../test/database/new-database.ts';
import { buildOldFolder, type OldRows, readRows } from '../../../test/database/old-database.ts';
import { isThorough } from '../../../test/run/rounds.ts';
import { migrate } from '../../db/migrate.ts';
import type { Tables } from '../../db/tables.ts';
import { prepareJobTables } from '../../jobs/queue.ts';
import { DataDirInUse, lockDataDir } from '../../postgres/data-dir.ts';
import { type CarryOverOptions, carryOver, describeCarriedOver } from './carry-over.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Generous, since each run starts a database in a separate process. */
const WITHIN_MS = 300_000;
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-carry-'));
  folders.push(folder);
  return folder;
};

const databases: NewDatabase[] = [];

async function onServer<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function newTarget(encoding?: 'LATIN1'): Promise<string> {
  const created = await newDatabase({ empty: true, encoding });
  databases.push(created);
  return created.url;
}

afterEach(async () => {
  for (const { drop } of databases.splice(0)) await drop();
});
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The newest and an older migration of the earlier database. */
const NEWEST = '0009';
const OLDER = '0005';

let newestFolder: string;
let newest: OldRows;

beforeAll(async () => {
  newestFolder = newFolder();
  newest = await buildOldFolder(join(newestFolder, 'pg'), NEWEST);
}, WITHIN_MS);

/** Creates a data folder with a copy of the earlier database. */
const newDataDir = async () => {
  const dataDir = newFolder();
  await cp(join(newestFolder, 'pg'), join(dataDir, 'pg'), { recursive: true });
  return dataDir;
};

const carry = (dataDir: string, url: string, more: Partial<CarryOverOptions> = {}) =>
  carryOver({
    dataDir,
    target: { connectionString: url },
    isTargetInDataDir: true,
    readerPackages: ROOT,
    env: process.env,
    onProgress: () => {},
    ...more,
  });

function hashOf(folder: string): string {
  const hash = createHash('sha256');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(`${path.slice(folder.length)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

/** Creates all tables, as the first start does. */
async function createTables(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await migrate(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }));
  await prepareJobTables({ executeSql: (text, values) => pool.query(text, values) }, () => {});
  await pool.end();
}

const schemaOf = (url: string) =>
  onServer(url, async (client) => {
    const { rows } = await client.query(
      `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as says, null as enabled
        from pg_constraint where connamespace in ('public'::regnamespace, 'jobs'::regnamespace)
      union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled from pg_trigger
        where not tgisinternal order by 1, 2, 3`,
    );
    return rows;
  });

/** The rows with these columns, in a fixed order. */
const sorted = (rows: Record<string, unknown>[] = [], columns: string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).sort();

/** Columns whose contents a migration has moved to another table. */
const MOVED: Record<string, string> = { execution_pages: 'findings' };

function expectRows(rows: OldRows['rows'], wanted: OldRows['rows']): void {
  for (const [table, before] of Object.entries(wanted)) {
    const columns = Object.keys(before[0]!).filter((column) => column !== MOVED[table]);
    expect(sorted(rows[table], columns), table).toEqual(sorted(before, columns));
  }
}

/** Runs a carry-over in a process that is killed in the middle of the tables. */
async function carryUntilKilled(dataDir: string, url: string): Promise<void> {
  const options = {
    dataDir,
    target: { connectionString: url },
    isTargetInDataDir: true,
    readerPackages: ROOT,
  };
  const script = `
    const { carryOver } = await import(${JSON.stringify(join(import.meta.dirname, 'carry-over.ts'))});
    await carryOver({ ...${JSON.stringify(options)}, env: {}, onProgress: (line) => {
      if (line.startsWith('public.users')) process.kill(process.pid, 'SIGKILL');
    } });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

test(
  `everything is carried over${isThorough ? ', even after a killed run' : ''}, and the earlier folder is kept unchanged`,
  async () => {
    const dataDir = await newDataDir();
    const before = hashOf(join(dataDir, 'pg'));
    const url = await newTarget();
    if (isThorough) {
      await carryUntilKilled(dataDir, url);
      expect(hashOf(join(dataDir, 'pg'))).toBe(before);
    }

    const lines: string[] = [];
    const carried = await carry(dataDir, url, { onProgress: (line) => lines.push(line) });

    // Only tables that are newer than the earlier database are empty.
    const empty = carried.tables.filter(({ rows }) => rows === 0).map(({ name }) => name);
    expect(empty).toContain('public.allowed_hosts');
    expect(Object.keys(newest.rows).filter((name) => empty.includes(`public.${name}`))).toEqual([]);
    expectRows(await onServer(url, readRows), newest.rows);
    expect(carried.tables).toContainEqual({ name: 'public.grants', rows: newest.rows.grants!.length });

    expect(carried.keptAt).toMatch(/pg-before-\d{4}-\d\d-\d\d$/);
    expect(hashOf(carried.keptAt)).toBe(before);
    expect(readdirSync(dataDir)).toEqual([basename(carried.keptAt)]);
    expect(lines).toContainEqual(expect.stringMatching(/^public\.grants: \d+ rows in \d+\.\d s$/));
    expect(describeCarriedOver(carried)).toMatch(/public\.users +3 {2}same\n/);
    expect(describeCarriedOver(carried)).toContain(carried.keptAt);

    await onServer(url, async (client) => {
      for (const table of ['judgment_vectors', 'knowledge_vectors']) {
        const { rows } = await client.query<{ embedding: Buffer }>(`select embedding from ${table}`);
        // The components are 16-bit integers, scaled so that the largest is 32767.
        expect(rows.map(({ embedding }) => embedding.length)).toEqual([6, 6]);
        expect(new Set(rows.map(({ embedding }) => embedding.readInt16BE(0)))).toEqual(
          new Set([32767, -32767]),
        );
      }
      const { rows } = await client.query(`insert into live_events
      (api_key_id, organization_id, event_id, name, created_at) values ('k', 'o', 'e', 'n', 1) returning seq`);
      expect(Number(rows[0].seq)).toBe(newest.nextLiveEvent);
      await client.query("delete from live_events where api_key_id = 'k' and seq = $1", [rows[0].seq]);
      const counts = await client.query("select from jobs.queue_stats where captured_on < '2026-01-01'");
      expect(counts.rows).toHaveLength(newest.oldQueueStats);
    });

    // A run that ended between its commit and the renaming of the folder is completed by the next one.
    if (isThorough) {
      renameSync(carried.keptAt, join(dataDir, 'pg'));
      expect((await carry(dataDir, url)).tables).toEqual(carried.tables);
    }

    const boss = new PgBoss({
      connectionString: url,
      schema: 'jobs',
      supervise: false,
      schedule: false,
      max: 2,
    });
    boss.on('error', () => {});
    await boss.start();
    try {
      const waiting = await boss.fetch(newest.job.queue);
      expect(waiting).toEqual([expect.objectContaining({ id: newest.job.id, data: newest.job.data })]);
    } finally {
      await boss.stop({ graceful: false });
    }

    const fresh = await newTarget();
    await createTables(fresh);
    const noDays = (schema: { table: string }[]) =>
      schema.filter(({ table }) => !/queue_stats_\d/.test(table));
    expect(noDays(await schemaOf(url))).toEqual(noDays(await schemaOf(fresh)));
  },
  WITHIN_MS,
);

test.runIf(isThorough)(
  'an older database gets the tables that it lacks',
  async () => {
    const dataDir = newFolder();
    const old = await buildOldFolder(join(dataDir, 'pg'), OLDER);
    expect(old.rows).not.toHaveProperty('judgments');
    const url = await newTarget();
    const carried = await carry(dataDir, url);
    expect(carried.tables).toContainEqual({ name: 'public.judgments', rows: 0 });
    expectRows(await onServer(url, readRows), old.rows);
  },
  WITHIN_MS,
);

test.runIf(isThorough)(
  'a target with rows is refused, and stays unchanged',
  async () => {
    const dataDir = await newDataDir();
    const url = await newTarget();
    await onServer(url, (client) =>
      client.query("create table users (name text); insert into users values ('x')"),
    );
    await expect(carry(dataDir, url)).rejects.toThrow('The new database is not empty: it has rows in users.');
    const { rows } = await onServer(url, (client) => client.query('select * from users'));
    expect(rows).toEqual([{ name: 'x' }]);
    expect(readdirSync(dataDir)).toEqual(['pg']);
  },
  WITHIN_MS,
);

test.runIf(isThorough)(
  'a difference is reported, and nothing is carried over',
  async () => {
    const dataDir = await newDataDir();
    const url = await newTarget();
    await createTables(url);
    await onServer(url, async (client) => {
      await client.query('create rule lose as on insert to users do instead nothing');
      await client.query('alter table webhook_deliveries alter column lane set expression as (api_key_id)');
    });
    await expect(carry(dataDir, url)).rejects.toThrow(
      "These tables differ from the earlier database's: public.users (3 rows, now 0), public.webhook_deliveries (other values).",
    );
    expect(Object.values(await onServer(url, readRows)).flat()).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(['pg']);
  },
  WITHIN_MS,
);

test('a carry-over that cannot succeed is refused before anything is copied', async () => {
  const dataDir = newFolder();
  const server = await newTarget();
  await expect(carry(dataDir, server)).rejects.toThrow(
    `no earlier database to carry over in ${join(dataDir, 'pg')}`,
  );
  mkdirSync(join(dataDir, 'pg'));
  writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '17\n');
  await expect(carry(dataDir, server)).rejects.toThrow('is of PostgreSQL 17; 18 can be read');
  writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '18\n');
  const lock = lockDataDir(dataDir);
  await expect(carry(dataDir, server)).rejects.toThrow(DataDirInUse);
  lock.release();
  const freeBytes = async () => 5_000_000;
  await expect(carry(dataDir, server, { freeBytes })).rejects.toThrow(
    /\d+ MB are needed in .*, and 5 MB are free/,
  );
  const latin = await newTarget('LATIN1');
  await expect(carry(dataDir, latin)).rejects.toThrow('is encoded in LATIN1');
  expect(readdirSync(dataDir)).toEqual(['pg']);
});
