import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { finishLoading, prepareLoading } from '../../db/copying/load.ts';
import {
  createPartitions,
  type Digest,
  digest,
  isSame,
  listFilled,
  listPartitions,
  listSequences,
  listTables,
  SESSION,
  type Table,
} from '../../db/copying/tables.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { randomId } from '../../lib/ids.ts';
import { lockDataDir } from '../../postgres/data-dir.ts';
import { createTables } from '../setup/create-tables.ts';
import { bytesOf, copyFolder, openOldDatabase, requireOldFolder } from './old-database.ts';
import { provideReaderPackages } from './reader-packages.ts';

/** Space for the recovery of the copy, in addition to the copy. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** Space for the write-ahead log, in addition to the new database. */
const LOG_BYTES = 448 * 1024 * 1024;

/** Characters of a batch. A longer row is a batch of its own. */
const BATCH_BYTES = 4 * 1024 * 1024;
const MAX_BATCH_ROWS = 2_000;

/** Each run has its own copy, because the reader of an interrupted run may still write to the last one. */
const COPY_PREFIX = 'pg-being-read-';

export interface CarryOverOptions {
  /** Contains the earlier database in `pg`. */
  dataDir: string;
  /** The new database, which is empty. */
  target: pg.ClientConfig;
  /** True if the new database is in the data folder too and needs space there. */
  isTargetInDataDir: boolean;
  /** True if the caller holds the lock of the data folder already. */
  isLocked?: boolean;
  /** A folder whose `node_modules` contains PGlite. By default it is installed temporarily. */
  readerPackages?: string | undefined;
  /** Search path for npm. */
  env: NodeJS.ProcessEnv;
  /** Called with a line for people, without a line break. */
  onProgress: (line: string) => void;
  /** Returns the free bytes of a folder's file system. */
  freeBytes?: (folder: string) => Promise<number>;
}

interface CarriedTable {
  /** Name with schema. */
  name: string;
  rows: number;
}

export interface CarriedOver {
  tables: CarriedTable[];
  /** Folder in which the earlier database is kept. */
  keptAt: string;
}

const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Carries the earlier embedded database over to PostgreSQL: all tables in one transaction, counted and compared before
 * it commits. The earlier folder is read from a copy and only renamed at the end, from `pg` to `pg-before-<date>`. After a
 * failure nothing has been carried over, and it can be run again. Throws an `ApiError` if the operator must act first.
 */
export async function carryOver(options: CarryOverOptions): Promise<CarriedOver> {
  const { dataDir, onProgress } = options;
  const folder = join(dataDir, 'pg');
  requireOldFolder(folder);
  const lock = options.isLocked ? undefined : lockDataDir(dataDir);
  const copy = join(dataDir, `${COPY_PREFIX}${randomId(8)}`);
  const installed = join(dataDir, 'pglite-reader');
  const target = new pg.Pool({ ...options.target, max: 1, application_name: 'redpen carry-over', onConnect });
  target.on('error', () => {});
  try {
    for (const name of readdirSync(dataDir)) {
      if (name.startsWith(COPY_PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true });
    }
    await requireSpace(options, folder);
    await requireUnicode(target);
    const packages = await provideReaderPackages({
      operatorFolder: options.readerPackages,
      folder: installed,
      env: options.env,
      onProgress,
    });
    onProgress(`Copying ${folder}, which stays as it is.`);
    await copyFolder(folder, copy);
    const old = await openOldDatabase(copy, packages, { onConnect });
    let tables: CarriedTable[];
    try {
      tables = await carryAll(old.pool, target, onProgress);
    } finally {
      await old.close();
    }
    const keptAt = freeName(join(dataDir, `pg-before-${new Date().toISOString().slice(0, 10)}`));
    renameSync(folder, keptAt);
    rmSync(installed, { recursive: true, force: true });
    return { tables, keptAt };
  } finally {
    await target.end();
    rmSync(copy, { recursive: true, force: true });
    lock?.release();
  }
}

/** Prints what was carried over, for the terminal. */
export function describeCarriedOver({ tables, keptAt }: CarriedOver): string {
  const width = Math.max(...tables.map(({ name }) => name.length));
  const lines = tables.map(({ name, rows }) => `${name.padEnd(width)}  ${String(rows).padStart(10)}  same`);
  return [
    `${'table'.padEnd(width)}  ${'rows'.padStart(10)}`,
    ...lines,
    '',
    `All ${tables.length} tables were carried over. The earlier database is kept in ${keptAt}.`,
    'Start Redpen with `npm start`. Once you are content, that folder can be deleted.',
    '',
  ].join('\n');
}

async function requireSpace(options: CarryOverOptions, folder: string): Promise<void> {
  const copies = options.isTargetInDataDir ? 2 : 1;
  const needed = (await bytesOf(folder)) * copies + SPARE_BYTES + (options.isTargetInDataDir ? LOG_BYTES : 0);
  const free = await (options.freeBytes ?? freeBytesOf)(options.dataDir);
  if (free >= needed) return;
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw failedPrecondition(
    `${inMegabytes(needed)} are needed in ${options.dataDir} to carry the database over, and ${inMegabytes(free)} are free.`,
  );
}

const freeName = (path: string): string => {
  let name = path;
  for (let n = 2; existsSync(name); n++) name = `${path}-${n}`;
  return name;
};

async function onConnect(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION);
}

async function requireUnicode(target: pg.Pool): Promise<void> {
  const { rows } = await target.query<{ name: string }>("select current_setting('server_encoding') as name");
  if (rows[0]!.name === 'UTF8') return;
  throw failedPrecondition(
    `The new database is encoded in ${rows[0]!.name}, which cannot hold every text: make one with the encoding UTF8.`,
  );
}

async function carryAll(sourcePool: pg.Pool, targetPool: pg.Pool, onProgress: (line: string) => void) {
  const filled = await using(targetPool, listFilled);
  // The same migrations give both the same schema, so that no row has to be converted.
  const onError = ({ message }: Error) => onProgress(message);
  await createTables(sourcePool, { onError });
  if (filled.length === 0) await createTables(targetPool, { onError });
  return await using(sourcePool, (source) =>
    using(targetPool, async (target) => {
      await source.query('begin isolation level repeatable read, read only');
      await target.query('begin');
      try {
        const carried =
          filled.length === 0
            ? await fill(source, target, onProgress)
            : await requireCarriedBefore(source, target, filled);
        await target.query('commit');
        return carried;
      } catch (error) {
        await target.query('rollback').catch(() => {});
        throw error;
      }
    }),
  );
}

const notEmpty = (tables: string[]) =>
  failedPrecondition(
    `The new database is not empty: it has rows in ${tables.join(', ')}. Empty it, or name another one, then try again.`,
  );

async function fill(
  source: pg.ClientBase,
  target: pg.ClientBase,
  onProgress: (line: string) => void,
): Promise<CarriedTable[]> {
  const tables = await listTables(source);
  const there = await listTables(target);
  if (!isDeepStrictEqual(tables, there))
    throw new Error(`The schemas differ: ${describeDifference(tables, there)}.`);
  const names = tables.map(({ name }) => name).join(', ');
  await createPartitions(target, await listPartitions(source));
  await target.query(`lock table ${names} in access exclusive mode`);
  // A service that started meanwhile has written before the lock or waits for it.
  const filled = await listFilled(target);
  if (filled.length > 0) throw notEmpty(filled);

  // Rows that the job queue wrote at its start are replaced by those of the earlier database.
  const foreignKeys = await prepareLoading(target, tables);
  const carried: CarriedTable[] = [];
  const different: string[] = [];
  for (const table of tables) {
    const startedAt = performance.now();
    const before = await digest(source, table);
    await copyRows(source, target, table, before);
    const after = await digest(target, table);
    if (!isSame(before, after)) {
      const how = before.rows === after.rows ? 'other values' : `${before.rows} rows, now ${after.rows}`;
      different.push(`${table.name} (${how})`);
    }
    carried.push({ name: table.name, rows: after.rows });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (after.rows > 0) onProgress(`${table.name}: ${after.rows} rows in ${seconds} s`);
  }
  if (different.length > 0) {
    throw new Error(
      `These tables differ from the earlier database's: ${different.join(', ')}. Nothing was kept.`,
    );
  }
  await finishLoading(target, { tables, foreignKeys, sequences: await listSequences(source, tables) });
  return carried;
}

/**
 * Copies all rows of a table in batches, as text: the reader of the earlier database supports no COPY. The source must be in
 * a transaction, which its cursor needs.
 */
async function copyRows(
  source: pg.ClientBase,
  target: pg.ClientBase,
  table: Table,
  { widestBytes }: Digest,
): Promise<void> {
  const columns = table.columns.filter((column) => !column.isGenerated);
  const names = columns.map((column) => column.name).join(', ');
  const values = columns.map((column, at) => `v${at}::${column.type}`).join(', ');
  const texts = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const aliases = columns.map((_, at) => `v${at}`).join(', ');
  const insert = `insert into ${table.name} (${names}) overriding system value
    select ${values} from unnest(${texts}) as given (${aliases})`;
  const batchRows = Math.max(1, Math.min(MAX_BATCH_ROWS, Math.floor(BATCH_BYTES / Math.max(1, widestBytes))));

  const read = columns.map((column) => `${column.name}::text`).join(', ');
  await source.query(`declare carried no scroll cursor for select ${read} from ${table.name}`);
  for (;;) {
    const { rows } = await source.query<(string | null)[]>({
      text: `fetch ${batchRows} from carried`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    await target.query(
      insert,
      columns.map((_, at) => rows.map((row) => row[at])),
    );
  }
  await source.query('close carried');
}

/** True if an earlier run died between its commit and the renaming of the folder: all rows are there then. */
async function requireCarriedBefore(
  source: pg.ClientBase,
  target: pg.ClientBase,
  filled: string[],
): Promise<CarriedTable[]> {
  const tables = await listTables(source);
  if (!isDeepStrictEqual(tables, await listTables(target))) throw notEmpty(filled);
  const carried: CarriedTable[] = [];
  for (const table of tables) {
    const [before, after] = [await digest(source, table), await digest(target, table)];
    if (!isSame(before, after)) throw notEmpty(filled);
    carried.push({ name: table.name, rows: after.rows });
  }
  return carried;
}

function describeDifference(old: Table[], now: Table[]): string {
  const linesOf = (tables: Table[]) =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`));
  const [before, after] = [linesOf(old), linesOf(now)];
  const only = [
    ...before.filter((line) => !after.includes(line)),
    ...after.filter((line) => !before.includes(line)),
  ];
  return only.join(', ') || 'in columns that are generated';
}

async function using<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // The next statement reports a broken connection.
  const ignore = () => {};
  client.on('error', ignore);
  try {
    return await work(client);
  } finally {
    client.off('error', ignore);
    client.release();
  }
}
