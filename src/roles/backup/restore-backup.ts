import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';
import { finishLoading, prepareLoading } from '../../db/copying/load.ts';
import { writeRows } from '../../db/copying/rows.ts';
import {
  createPartitions,
  digest,
  foreignTables,
  listFilled,
  listSequences,
  listTables,
  SESSION,
  type Table,
} from '../../db/copying/tables.ts';
import { unknownMigrations } from '../../db/migrate.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { createTables } from '../setup/create-tables.ts';
import { parseKeys } from '../setup/key-file.ts';
import {
  BadBackup,
  END,
  type Entry,
  FILES,
  HEAD,
  KEY_ENTRY,
  parseJson,
  readArchive,
  tableOfEntry,
} from './archive.ts';
import {
  type BackupEnd,
  type BackupHead,
  type BackupSummary,
  backupEnd,
  backupHead,
  FORMAT,
} from './backup-shape.ts';

const decompress = promisify(gunzip);

/** A backup that was read to its end without a fault. */
export interface CheckedBackup extends BackupSummary {
  /** The master keys, if the backup has them; there are several during a rotation. */
  masterKeys: Buffer[] | undefined;
}

/** Reads a whole backup and checks every entry. Throws `BadBackup`. */
export async function checkBackup(source: Readable): Promise<CheckedBackup> {
  let head: BackupHead | undefined;
  let end: BackupEnd | undefined;
  let masterKeys: Buffer[] | undefined;
  for await (const entry of readArchive(source)) {
    if (entry.name === HEAD) head = readHead(entry);
    else if (entry.name === END) end = parseJson(entry, backupEnd);
    else if (entry.name === KEY_ENTRY) masterKeys = parseKeys(entry.bytes.toString(), KEY_ENTRY);
  }
  requireKnownNames(head!, end!);
  return { head: head!, end: end!, masterKeys };
}

const PARTITION_NAME = /^[a-z_]+\.[a-z0-9_]+$/;
const PARTITION_BOUND = /^(DEFAULT|FOR VALUES [\w\s'():+.-]+)$/;

/** Throws unless names are those of tables, since they become parts of statements. */
function requireKnownNames({ tables, partitions }: BackupHead, end: BackupEnd): void {
  const known = new Set(tables.map(({ name }) => name));
  const stranger =
    end.tables.find(({ name }) => !known.has(name))?.name ??
    partitions.find(
      ({ name, parent, bound }) =>
        !known.has(parent) || !PARTITION_NAME.test(name) || !PARTITION_BOUND.test(bound),
    )?.name;
  if (stranger !== undefined) throw new BadBackup(`The backup has no table for ${stranger}.`);
}

function readHead(entry: Entry): BackupHead {
  const { format, version } = parseJson(entry, backupHead.pick({ format: true, version: true }));
  if (format !== FORMAT) {
    throw new BadBackup(
      `Redpen ${version} wrote this backup in the format ${format}, which this version does not read: restore it with that one.`,
    );
  }
  return parseJson(entry, backupHead);
}

/** Throws unless this version can restore the backup. */
export function requireKnownMigrations({ version, migrations }: BackupHead): void {
  const unknown = unknownMigrations(migrations);
  if (unknown.length === 0) return;
  throw failedPrecondition(
    `Redpen ${version} wrote this backup, and its schema is newer than that of this version (${unknown.join(', ')}): restore it with that version or a later one.`,
  );
}

export interface RestoreOptions {
  /** Opens the backup from its beginning. */
  open: () => Promise<Readable>;
  backup: CheckedBackup;
  /** The database, which has no rows of a service. */
  connection: pg.ClientConfig;
  /** Where stored files go; undefined to leave them out. */
  blobs: BlobStore | undefined;
  onProgress: (line: string) => void;
}

/**
 * Restores a checked backup into an empty database, all rows in one transaction, which commits if each table has the rows
 * and the digest of the backup. Files are written before the commit. After a failure the database is as empty as before, and
 * it can be run again.
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { backup, connection } = options;
  requireKnownMigrations(backup.head);
  const pool = new pg.Pool({
    ...connection,
    max: 2,
    application_name: 'redpen restore',
    onConnect: async (client) => void (await client.query(SESSION)),
  });
  pool.on('error', () => {});
  try {
    const client = await pool.connect();
    client.on('error', () => {});
    let isBroken = true;
    try {
      await requireUsable(client);
      await createTables(pool, { newest: backup.head.migrations.at(-1)! });
      await client.query('begin');
      await restoreRows(client, options);
      await client.query('commit');
      isBroken = false;
    } finally {
      // A connection that is closed rolls back, and a COPY in progress would not let it be used again.
      client.release(isBroken);
    }
    await createTables(pool);
    await pool.query('analyze');
  } finally {
    await pool.end();
  }
}

async function requireUsable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  if (rows[0]!.encoding !== 'UTF8') {
    throw failedPrecondition(
      `The database is encoded in ${rows[0]!.encoding}, which cannot hold every text: create one with the encoding UTF8.`,
    );
  }
  await requireEmpty(client);
}

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const filled = await listFilled(client);
  if (filled.length === 0) return;
  throw failedPrecondition(
    `The database is not empty: it has rows in ${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ' and others' : ''}. Restore into an empty database or a new data folder.`,
  );
}

async function restoreRows(client: pg.ClientBase, options: RestoreOptions): Promise<void> {
  const { backup, blobs, onProgress } = options;
  const { head, end } = backup;
  const tables = await listTables(client);
  const foreign = foreignTables(head.tables, tables);
  for (const name of foreign) onProgress(`${name} is not a table of Redpen, and is left out.`);
  const isOwn = (name: string) => !foreign.includes(name);
  const own = head.tables.filter(({ name }) => isOwn(name));
  requireColumns(own, tables);
  await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access exclusive mode`);
  // A service that started meanwhile has written before the lock or waits for it.
  await requireEmpty(client);
  await createPartitions(
    client,
    // Those of Redpen's own tables are made by its migrations.
    head.partitions.filter(({ parent }) => isOwn(parent) && parent.startsWith('jobs.')),
  );
  const foreignKeys = await prepareLoading(client, tables);

  const byName = new Map(own.map((table) => [table.name, table]));
  let files = 0;
  for await (const { name, type, bytes } of readArchive(await options.open())) {
    const table = byName.get(tableOfEntry(name) ?? '');
    if (table !== undefined) await writeRows(client, table, [await decompress(bytes)]);
    else if (name.startsWith(FILES) && blobs !== undefined) {
      await blobs.put(name.slice(FILES.length), bytes, type);
      if (++files % 1_000 === 0) onProgress(`stored files: ${files}`);
    }
  }
  if (files > 0) onProgress(`stored files: ${files}`);
  for (const { name, rows, sum } of end.tables.filter((table) => isOwn(table.name))) {
    const found = await digest(client, byName.get(name)!);
    if (found.rows !== rows || found.sum !== sum) {
      throw new Error(
        `${name} differs from the backup: ${plural(rows, 'row')} there, ${found.rows} here. Nothing was restored.`,
      );
    }
    if (rows > 0) onProgress(`${name}: ${plural(rows, 'row')}, as in the backup`);
  }
  const known = new Set((await listSequences(client, tables)).map(({ name }) => name));
  const sequences = end.sequences.filter(({ name }) => known.has(name));
  await finishLoading(client, { tables, foreignKeys, sequences });
}

/** Throws unless each column of the backup exists. Columns that were added since get their default. */
function requireColumns(wanted: readonly Table[], found: readonly Table[]): void {
  const there = new Set(
    found.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
  const missing = wanted
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    .filter((column) => !there.has(column));
  if (missing.length > 0) {
    throw failedPrecondition(
      `This version of Redpen has no column for ${missing.join(', ')}: restore the backup with the version that wrote it.`,
    );
  }
}
