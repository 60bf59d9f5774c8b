import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import pg from 'pg';
import { readRows } from '../../db/copying/rows.ts';
import {
  digest,
  listPartitions,
  listSequences,
  listTables,
  SESSION,
  type Table,
} from '../../db/copying/tables.ts';
import { holdDeletions } from '../../db/hold-deletions.ts';
import { plural } from '../../lib/text/plural.ts';
import { ownVersion } from '../../lib/version.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { keyLines } from '../setup/keyring.ts';
import { type ArchiveWriter, FILES, HEAD, KEY_ENTRY, tableEntry, writeArchive } from './archive.ts';
import { type BackupEnd, type BackupHead, type BackupSummary, FORMAT } from './backup-shape.ts';

/** Bytes of rows in one entry, before compression. */
const PART_BYTES = 8 * 1024 * 1024;

const compress = promisify(gzip);

export interface BackupOptions {
  connection: pg.ClientConfig;
  /** Undefined to leave stored files out. */
  blobs: BlobStore | undefined;
  /** The master keys; undefined to leave them out. */
  masterKeys: readonly Uint8Array[] | undefined;
  sink: Writable;
  signal: AbortSignal;
  /** Called with a line for people, without a line break. */
  onProgress: (line: string) => void;
}

export interface WrittenBackup extends BackupSummary {
  /** Size of the archive. */
  bytes: number;
  /** SHA-256 of the archive. */
  sha256: string;
}

/**
 * Writes a backup of the database and the stored files while the service runs. The rows are those of one snapshot. The
 * files that they refer to are all there, since deletions of files are held while it runs.
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { sink, signal } = options;
  const archive = writeArchive(sink, signal);
  try {
    return await withConnections(options, 2, async ([holder, client]) => {
      await holdDeletions(holder!);
      await holder!.query('begin isolation level repeatable read, read only');
      const { rows } = await holder!.query<{ id: string }>('select pg_export_snapshot() as id');
      // Each table is read in a transaction of its own, so that no table stays locked until the end.
      const inSnapshot = async <T>(work: () => Promise<T>): Promise<T> => {
        await client!.query(`begin isolation level repeatable read, read only;
          set transaction snapshot ${pg.escapeLiteral(rows[0]!.id)}`);
        const result = await work();
        await client!.query('commit');
        return result;
      };
      const head = await inSnapshot(() => readHead(client!, options));
      await archive.add(HEAD, Buffer.from(`${JSON.stringify(head, null, 2)}\n`));
      if (options.masterKeys !== undefined)
        await archive.add(KEY_ENTRY, Buffer.from(keyLines(options.masterKeys)));
      const tables: BackupEnd['tables'] = [];
      for (const table of head.tables) {
        tables.push(await inSnapshot(() => addTable(client!, archive, table, options)));
      }
      const files = await addFiles(archive, options);
      const end: BackupEnd = { tables, sequences: await listSequences(client!, head.tables), files };
      return { head, end, ...(await archive.end(end)) };
    });
  } catch (error) {
    archive.abort(error as Error);
    signal.throwIfAborted();
    throw error;
  }
}

/** Connects as often as asked. The connections end with the work, or with the signal, which ends their statements. */
async function withConnections<T>(
  { connection, signal }: Pick<BackupOptions, 'connection' | 'signal'>,
  count: number,
  work: (clients: pg.Client[]) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const clients = Array.from(
    { length: count },
    () => new pg.Client({ ...connection, application_name: 'redpen backup' }),
  );
  const close = () => Promise.all(clients.map((client) => client.end().catch(() => {})));
  const onAbort = () => void close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
      await client.query(SESSION);
    }
    return await work(clients);
  } finally {
    signal.removeEventListener('abort', onAbort);
    await close();
  }
}

/** The key as its file in the data folder has it. */
async function readHead(client: pg.Client, { blobs, masterKeys }: BackupOptions): Promise<BackupHead> {
  const { rows } = await client.query<{ version: string; migrations: string[]; keys: string[] }>(
    `select current_setting('server_version') as version,
      (select array_agg(name order by name) from kysely_migration) as migrations,
      (select coalesce(array_agg(key_id order by created_at desc), '{}') from key_checks) as keys`,
  );
  const { version: postgres, migrations, keys } = rows[0]!;
  return {
    format: FORMAT,
    createdAt: Date.now(),
    ...ownVersion(),
    postgres,
    migrations,
    tables: await listTables(client),
    partitions: await listPartitions(client),
    masterKeys: keys,
    hasFiles: blobs !== undefined,
    hasKey: masterKeys !== undefined,
  };
}

async function addTable(
  client: pg.Client,
  archive: ArchiveWriter,
  table: Table,
  { signal, onProgress }: BackupOptions,
): Promise<BackupEnd['tables'][number]> {
  const { rows, sum } = await digest(client, table);
  let part = 0;
  for await (const lines of readRows(client, table, { partBytes: PART_BYTES })) {
    signal.throwIfAborted();
    await archive.add(tableEntry(table.name, ++part), await compress(lines));
  }
  if (rows > 0) onProgress(`${table.name}: ${plural(rows, 'row')}`);
  return { name: table.name, rows, sum };
}

async function addFiles(
  archive: ArchiveWriter,
  { blobs, signal, onProgress }: BackupOptions,
): Promise<BackupEnd['files']> {
  let count = 0;
  let bytes = 0;
  for await (const key of blobs?.list() ?? []) {
    signal.throwIfAborted();
    const file = await blobs!.get(key);
    // It was listed before its deletion, which began before the snapshot: no row of the snapshot refers to it.
    if (file === undefined) continue;
    await archive.add(FILES + key, file.bytes, file.mimeType);
    count++;
    bytes += file.bytes.length;
    if (count % 1_000 === 0) onProgress(`stored files: ${count}`);
  }
  if (count > 0) onProgress(`stored files: ${count}, ${Math.ceil(bytes / 1_000_000)} MB`);
  return { count, bytes };
}
