import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { Pool } from 'undici';
import { readFileAt, writeFile } from '../src/outside/storage/archive-store.ts';
import { openBlobStore } from '../src/outside/storage/open-blob-store.ts';
import { createBackup } from '../src/roles/backup/backups.ts';
import { checkBackup, restoreBackup } from '../src/roles/backup/restore-backup.ts';
import { median, newKey, post, quantile } from './closed-loop.ts';
import { report } from './figures.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { startService } from './service.ts';

// Writes backups while clients add comments, restores each into a new database, where each table must have the digest of
// the snapshot, and looks there for every comment that was acknowledged before the backup began. The reference of the
// latency is that of the same clients without a backup in the same run.
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const WRITERS = 4;
/** Between two comments of a writer, so that the database does not grow with each round by more than the one before. */
const PAUSE_MS = 20;
const PLACE = { organizationId: 'bench', documentId: 'document' };

const folder = mkdtempSync(join(tmpdir(), 'redpen-backups-'));
const server = await startOwnPostgres();
const urlOf = (name: string): string => {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
};

async function asAdmin(...statements: string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
}

await asAdmin("create database source template template0 encoding 'UTF8'");
const files = pathToFileURL(join(folder, 'files')).href;
const service = await startService({ DATABASE_URL: urlOf('source'), REDPEN_BLOB_URL: files });
const client = new Pool(service.url, { connections: WRITERS });

/** Texts of acknowledged comments, with the time of the acknowledgement. */
const acknowledged: { text: string; at: number }[] = [];
const latencies: { ms: number; at: number }[] = [];
let isWriting = true;

async function write(headers: Record<string, string>, writer: number): Promise<void> {
  for (let n = 0; isWriting; n++) {
    const text = `comment ${writer}-${n}`;
    const began = performance.now();
    await post(
      client,
      '/v2/commentannotations/add',
      { ...PLACE, commentAnnotations: [{ commentData: [{ commentText: text, from: { userId: 'ada' } }] }] },
      headers,
    );
    const at = performance.now();
    latencies.push({ ms: at - began, at });
    acknowledged.push({ text, at });
    await sleep(PAUSE_MS);
  }
}

async function restore(path: string, name: string): Promise<number> {
  await asAdmin(`create database ${name} template template0 encoding 'UTF8'`);
  const began = performance.now();
  await restoreBackup({
    open: () => readFileAt(path),
    backup: await checkBackup(await readFileAt(path)),
    connection: { connectionString: urlOf(name) },
    blobs: openBlobStore(pathToFileURL(join(folder, name)).href),
    onProgress: () => {},
  });
  return performance.now() - began;
}

async function storedTexts(name: string): Promise<Set<string>> {
  const database = new pg.Client({ connectionString: urlOf(name) });
  await database.connect();
  const { rows } = await database.query<{ body: { commentText?: string } }>('select body from comments');
  await database.end();
  return new Set(rows.map(({ body }) => body.commentText ?? ''));
}

try {
  const { headers } = await newKey(client);
  await post(
    client,
    '/v2/organizations/documents/add',
    {
      organizationId: PLACE.organizationId,
      documents: [{ documentId: PLACE.documentId, documentName: 'D' }],
    },
    headers,
  );
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(headers, writer)));
  writing.catch(() => {});
  const [backupMs, restoreMs, calm, busy]: number[][] = [[], [], [], []];
  let missing = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const calmFrom = performance.now();
    await sleep(1_000);
    const began = performance.now();
    const path = join(folder, `${round}.tar`);
    const written = await createBackup(
      {
        connection: { connectionString: urlOf('source') },
        blobs: openBlobStore(files),
        masterKeys: undefined,
        signal: new AbortController().signal,
        onProgress: () => {},
      },
      { write: () => writeFile(path), read: () => readFileAt(path), remove: async () => rmSync(path) },
    );
    const ended = performance.now();
    backupMs!.push(ended - began);
    calm!.push(...latencies.filter(({ at }) => at > calmFrom && at <= began).map(({ ms }) => ms));
    busy!.push(...latencies.filter(({ at }) => at > began && at <= ended).map(({ ms }) => ms));
    const name = `restored_${round}`;
    restoreMs!.push(await restore(path, name));
    const texts = await storedTexts(name);
    const wanted = acknowledged.filter(({ at }) => at < began);
    const lost = wanted.filter(({ text }) => !texts.has(text)).length;
    missing += lost;
    const rows = written.end.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${round}: ${rows} rows, ${Math.round(backupMs!.at(-1)!)} ms, restored and the same; ${wanted.length} comments wanted, ${lost} missing`,
    );
    await asAdmin(`drop database ${name} with (force)`);
    rmSync(path);
  }
  isWriting = false;
  await writing;
  const p95 = { calm: quantile(calm!, 0.95), busy: quantile(busy!, 0.95) };
  console.log(
    `backup ${Math.round(median(backupMs!))} ms, restore ${Math.round(median(restoreMs!))} ms, comments p95 ${p95.busy.toFixed(1)} ms during a backup and ${p95.calm.toFixed(1)} ms without`,
  );
  report({ name: 'acknowledged comments missing in backups', value: missing, unit: 'count' });
  report({
    name: 'comments/add p95 during a backup',
    value: p95.busy,
    unit: 'ms',
    references: { 'without a backup': p95.calm },
  });
  if (missing > 0) process.exitCode = 1;
} finally {
  isWriting = false;
  await client.close();
  await service.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
