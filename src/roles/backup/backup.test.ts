import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fillDocument } from '../../../test/full-document.ts';
import { newWorkspace, testApp } from '../../../test/harness.ts';
import { newDatabase } from '../../../test/new-database.ts';
import { until } from '../../../test/until.ts';
import { SESSION } from '../../db/copying/tables.ts';
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

/** Options of a backup of the database that the tests share. */
async function optionsFor(more: Partial<BackupOptions> = {}): Promise<Omit<BackupOptions, 'sink'>> {
  const { database } = await testApp();
  return {
    connection: database.connection,
    blobs: undefined,
    masterKeys: undefined,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  };
}

async function backUp(options: Omit<BackupOptions, 'sink'>): Promise<Buffer> {
  const sink = new PassThrough();
  const [bytes] = await Promise.all([buffer(sink), writeBackup({ ...options, sink })]);
  return bytes;
}

const restoreTo = async (bytes: Buffer, url: string, blobs?: BlobStore) =>
  restoreBackup({
    open: async () => Readable.from([bytes]),
    backup: await checkBackup(Readable.from([bytes])),
    connection: { connectionString: url },
    blobs,
    onProgress: () => {},
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
  const { deps, database } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'backed-up', { annotations: 30 });
  await deps.outside.blobs.put(`attachments/${w.apiKeyId}/ünï`, Buffer.from('a picture'), 'image/png');
  onTestFinished(() => deps.outside.blobs.deletePrefix(`attachments/${w.apiKeyId}/`));

  // Each transaction writes to two tables that are read at different times.
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    while (isWriting) {
      const at = written;
      await deps.db.transaction().execute(async (tx) => {
        const key = `moment-${w.apiKeyId}-${at}`;
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
  onTestFinished(async () => {
    await deps.db.deleteFrom('allowedHosts').where('entry', 'like', `moment-${w.apiKeyId}-%`).execute();
    await deps.db.deleteFrom('keyChecks').where('keyId', 'like', `moment-${w.apiKeyId}-%`).execute();
  });
  await until(() => written > 3);
  const bytes = await backUp(await optionsFor({ blobs: deps.outside.blobs }));
  isWriting = false;
  await writing;

  const url = await emptyDatabase();
  const files = openFolder('restored');
  await restoreTo(bytes, url, files);
  const restored = await connect(url);
  const countOf = async (text: string) =>
    Number((await restored.query<{ count: string }>(text, [`moment-${w.apiKeyId}-%`])).rows[0]!.count);
  const hosts = await countOf('select count(*) from allowed_hosts where entry like $1');
  expect(hosts).toBeGreaterThan(3);
  expect(await countOf('select count(*) from key_checks where key_id like $1')).toBe(hosts);

  // The rows of this workspace, which have not changed since then, are the same in both.
  const source = new pg.Client(database.connection);
  await source.connect();
  onTestFinished(() => source.end());
  await source.query(SESSION);
  for (const name of ['annotations', 'comments', 'api_key_tokens', 'documents']) {
    const rowsIn = async (client: pg.Client) =>
      (await client.query(`select t::text from ${name} t where api_key_id = $1 order by 1`, [w.apiKeyId]))
        .rows;
    const rows = await rowsIn(source);
    expect(rows.length, name).toBeGreaterThan(0);
    expect(await rowsIn(restored), name).toEqual(rows);
  }
  const found = await files.get(`attachments/${w.apiKeyId}/ünï`);
  expect([found?.mimeType, found && Buffer.from(found.bytes).toString()]).toEqual(['image/png', 'a picture']);
  await expect(restored.query('insert into comments select * from comments limit 1')).rejects.toThrow(
    'duplicate key',
  );
});

test('while a backup is written, marked files stay, and are deleted after it', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { db } = deps;
  const blobs = openFolder('held');
  const key = await putFile(db, blobs, w, {
    bytes: Buffer.from('x'),
    mimeType: 'text/plain',
    folder: 'attachments',
  });
  const due = Date.now() + 7_200_000;

  const sink = new PassThrough();
  const writing = writeBackup({ ...(await optionsFor()), sink });
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
  const { deps } = await testApp();
  const stopping = new AbortController();
  const sink = new PassThrough({ highWaterMark: 1 });
  const writing = writeBackup({ ...(await optionsFor({ signal: stopping.signal })), sink });
  writing.catch(() => {});
  await until(() => areDeletionsHeld(deps.db));
  stopping.abort(new Error('The process is stopping.'));
  await expect(writing).rejects.toThrow('The process is stopping.');
  await until(async () => !(await areDeletionsHeld(deps.db)));
});

test('a restore is refused, or leaves nothing, if it cannot be complete', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'kept-whole');
  const bytes = await backUp(await optionsFor());
  const url = await emptyDatabase();
  const client = await connect(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await createTables(pool);
  await pool.end();

  // A column that pads its values stands for anything that stores other rows than it was given.
  await client.query('alter table annotations alter column status_id type char(40)');
  await expect(restoreTo(bytes, url)).rejects.toThrow('public.annotations differs from the backup');
  for (const table of ['annotations', 'documents', 'api_keys']) {
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
  const bytes = await backUp(await optionsFor({ connection: { connectionString: url } }));

  const later = await emptyDatabase();
  await restoreTo(bytes, later);
  const client = await connect(later);
  const hosts = await client.query('select entry from allowed_hosts');
  expect(hosts.rows).toEqual([{ entry: 'old.example' }]);
  const { rows } = await client.query<{ name: string }>('select max(name) as name from kysely_migration');
  expect(rows[0]!.name > '0023-members').toBe(true);
});
