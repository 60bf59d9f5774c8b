import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { until } from '../../../test/run/until.ts';
import { type Database, openDatabase } from '../../db/connections/connect.ts';
import { listSequences, listTables, SESSION } from '../../db/copying/tables.ts';
import { areDeletionsHeld } from '../../db/hold-deletions.ts';
import { deleteMarkedFiles, putFile } from '../../files/stored-files.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { openBlobStore } from '../../outside/storage/open-blob-store.ts';
import { createTables } from '../setup/create-tables.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { type BackupOptions, writeBackup } from './write-backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'redpen-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openFolder = (name: string): BlobStore => openBlobStore(pathToFileURL(join(folder, name)).href);

const optionsFor = (url: string, more: Partial<BackupOptions> = {}): Omit<BackupOptions, 'sink'> => ({
  connection: { connectionString: url },
  blobs: undefined,
  masterKeys: undefined,
  signal: new AbortController().signal,
  onProgress: () => {},
  ...more,
});

/** Rows of tables with and without sequences, of texts that need escapes, and of JSON. */
const ROWS = [
  `insert into allowed_hosts (entry, created_at) select 'host-' || n || '.example', n from generate_series(1, 20) as n`,
  `insert into users (api_key_id, user_id, name, body, created_at, updated_at)
    select 'key', 'ü' || n, E'tab\\t, line\\n of ' || n, jsonb_build_object('name', 'N' || n, 'emoji', '✓'), n, n
      from generate_series(1, 300) as n`,
  `insert into events (api_key_id, event_id, workspace_id, name, payload, created_at)
    select 'key', 'event-' || n, 'workspace', 'comment.added', '{}', n from generate_series(1, 10) as n`,
];

/** Opens a database of its own with some rows: that of the tests has as many as their number. */
async function ownDatabase(): Promise<{ url: string; database: Database; client: pg.Client }> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const client = await connect(url);
  for (const text of ROWS) await client.query(text);
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(() => database.close());
  return { url, database, client };
}

async function backUp(options: Omit<BackupOptions, 'sink'>): Promise<Buffer> {
  const sink = new PassThrough();
  const [bytes] = await Promise.all([buffer(sink), writeBackup({ ...options, sink })]);
  return bytes;
}

const restoreTo = async (
  bytes: Buffer,
  url: string,
  { blobs, onProgress = () => {} }: { blobs?: BlobStore; onProgress?: (line: string) => void } = {},
) =>
  restoreBackup({
    open: async () => Readable.from([bytes]),
    backup: await checkBackup(Readable.from([bytes])),
    connection: { connectionString: url },
    blobs,
    onProgress,
  });

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await newDatabase({ empty: true });
  onTestFinished(drop);
  return url;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(SESSION);
  onTestFinished(() => client.end());
  return client;
}

test('a backup that is written during writes is one moment of them, and is restored with its files', async () => {
  const { url, database, client } = await ownDatabase();
  const blobs = openFolder('stored');
  await blobs.put('attachments/key/ünï', Buffer.from('a picture'), 'image/png');

  // Each transaction writes to two tables that are read at different times.
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    while (isWriting) {
      const at = written;
      await database.db.transaction().execute(async (tx) => {
        const key = `moment-${at}`;
        await tx
          .insertInto('allowedHosts')
          .values({ entry: `${key}.example`, createdAt: at, inForceAt: null })
          .execute();
        await tx
          .insertInto('keyChecks')
          .values({ keyId: key, sealed: 'x', createdAt: 0, adoptedAt: 0 })
          .execute();
      });
      written++;
    }
  })();
  await until(() => written > 3);
  const bytes = await backUp(optionsFor(url, { blobs }));
  isWriting = false;
  await writing;

  const target = await emptyDatabase();
  const files = openFolder('restored');
  await restoreTo(bytes, target, { blobs: files });
  const restored = await connect(target);
  const countOf = async (text: string) =>
    Number((await restored.query<{ count: string }>(text)).rows[0]!.count);
  const hosts = await countOf("select count(*) from allowed_hosts where entry like 'moment-%'");
  expect(hosts).toBeGreaterThan(3);
  expect(await countOf("select count(*) from key_checks where key_id like 'moment-%'")).toBe(hosts);

  // The rows that have not changed since then are the same in both.
  for (const name of ['users', 'events']) {
    const rowsIn = async (from: pg.Client) =>
      (await from.query(`select t::text from ${name} t order by 1`)).rows;
    const rows = await rowsIn(client);
    expect(rows.length, name).toBeGreaterThan(0);
    expect(await rowsIn(restored), name).toEqual(rows);
  }
  const found = await files.get('attachments/key/ünï');
  expect([found?.mimeType, found && Buffer.from(found.bytes).toString()]).toEqual(['image/png', 'a picture']);
  await expect(restored.query('insert into users select * from users limit 1')).rejects.toThrow(
    'duplicate key',
  );
  const next = await restored.query<{ seq: string }>(
    `insert into events (api_key_id, event_id, workspace_id, name, payload, created_at)
      values ('key', 'next', 'workspace', 'comment.added', '{}', 1) returning seq::text`,
  );
  expect(next.rows[0]!.seq).toBe('11');
});

test('every sequence of the schema belongs to a table', async () => {
  const { client } = await ownDatabase();
  const { rows } = await client.query<{ name: string }>(
    "select schemaname || '.' || sequencename as name from pg_sequences where schemaname in ('public', 'jobs') order by 1",
  );
  const found = await listSequences(client, await listTables(client));
  expect(found.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
});

test('tables and sequences of another program do not keep a backup from being restored', async () => {
  const { url, client } = await ownDatabase();
  await client.query('create table notes (id bigserial primary key, text text)');
  await client.query("insert into notes (text) values ('not ours')");
  await client.query('create sequence loose_numbers');
  const bytes = await backUp(optionsFor(url));

  const target = await emptyDatabase();
  const lines: string[] = [];
  await restoreTo(bytes, target, { onProgress: (line) => lines.push(line) });
  expect(lines).toContain('public.notes is not a table of Redpen, and is left out.');
  const { rows } = await (await connect(target)).query('select count(*)::int as users from users');
  expect(rows).toEqual([{ users: 300 }]);
});

test('while a backup is written, marked files stay, and are deleted after it', async () => {
  const { url, database } = await ownDatabase();
  const { db } = database;
  const blobs = openFolder('held');
  const key = await putFile(
    db,
    blobs,
    { apiKeyId: 'key' },
    { bytes: Buffer.from('x'), mimeType: 'text/plain', folder: 'attachments' },
  );
  const due = Date.now() + 7_200_000;

  const sink = new PassThrough({ highWaterMark: 1 });
  const writing = writeBackup({ ...optionsFor(url), sink });
  await until(() => areDeletionsHeld(db));
  await deleteMarkedFiles(db, blobs, due);
  expect(await blobs.get(key)).toBeDefined();
  sink.resume();
  await writing;
  await until(async () => !(await areDeletionsHeld(db)));
  await deleteMarkedFiles(db, blobs, due);
  expect(await blobs.get(key)).toBeUndefined();
});

test('a backup that is stopped ends with the reason, and holds nothing any more', async () => {
  const { url, database } = await ownDatabase();
  const stopping = new AbortController();
  const sink = new PassThrough({ highWaterMark: 1 });
  const writing = writeBackup({ ...optionsFor(url, { signal: stopping.signal }), sink });
  writing.catch(() => {});
  await until(() => areDeletionsHeld(database.db));
  // Nothing reads it, so the backup waits for it.
  await until(() => sink.readableLength > 0);
  stopping.abort(new Error('The process is stopping.'));
  await expect(writing).rejects.toThrow('The process is stopping.');
  await until(async () => !(await areDeletionsHeld(database.db)));
});

test('a restore is refused, or leaves nothing, if it cannot be complete', async () => {
  const bytes = await backUp(optionsFor((await ownDatabase()).url));
  const url = await emptyDatabase();
  const client = await connect(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await createTables(pool);
  await pool.end();

  // A column that pads its values stands for anything that stores other rows than it was given.
  await client.query('alter table users alter column name type char(40)');
  await expect(restoreTo(bytes, url)).rejects.toThrow('public.users differs from the backup');
  for (const table of ['allowed_hosts', 'events', 'users']) {
    const { rows } = await client.query(`select from ${table} limit 1`);
    expect(rows, table).toEqual([]);
  }
  await client.query("insert into allowed_hosts (entry, created_at) values ('there.example', 1)");
  await expect(restoreTo(bytes, url)).rejects.toThrow(
    'The database is not empty: it has rows in allowed_hosts.',
  );

  const backup = await checkBackup(Readable.from([bytes]));
  const newer = { ...backup, head: { ...backup.head, version: '9.9.9', migrations: ['9999-later'] } };
  const options = {
    open: async () => Readable.from([bytes]),
    connection: { connectionString: url },
    blobs: undefined,
  };
  await expect(restoreBackup({ ...options, backup: newer, onProgress: () => {} })).rejects.toThrow(
    'Redpen 9.9.9 wrote this backup, and its schema is newer than that of this version (9999-later)',
  );
});

test('a backup of an earlier schema is restored, and then migrated', async () => {
  const url = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await createTables(pool, { newest: '0023-members' });
  await pool.query("insert into allowed_hosts (entry, created_at) values ('old.example', 1)");
  await pool.end();
  const bytes = await backUp(optionsFor(url));

  const later = await emptyDatabase();
  await restoreTo(bytes, later);
  const client = await connect(later);
  const hosts = await client.query('select entry from allowed_hosts');
  expect(hosts.rows).toEqual([{ entry: 'old.example' }]);
  const { rows } = await client.query<{ name: string }>('select max(name) as name from kysely_migration');
  expect(rows[0]!.name > '0023-members').toBe(true);
});
