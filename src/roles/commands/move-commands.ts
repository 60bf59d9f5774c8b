import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import pg from 'pg';
import type { Config } from '../../config.ts';
import { openInThread } from '../../db/connections/open-in-thread.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import { openBlobStore } from '../../outside/storage/open-blob-store.ts';
import { lockDataDir } from '../../postgres/data-dir.ts';
import { startEngine } from '../../postgres/engine.ts';
import { refusePgliteFolder } from '../../postgres/pglite-folder.ts';
import { closeToOthers, DATA_FOLDER } from '../../postgres/private-folder.ts';
import { moveDatabase } from '../move/move-database.ts';
import { moveFiles } from '../move/move-files.ts';
import { createTables } from '../setup/create-tables.ts';
import { keyPathOf, keySourceOf, requireKeySource, writeMasterKey } from '../setup/keyring.ts';
import { blobAddressOf, blobSettingOf } from '../setup/places.ts';
import { recordForService } from '../setup/run-operation.ts';
import type { Outcome, Setup, Work } from '../terminal/outcome.ts';
import { explained } from './explained.ts';

interface MoveWords {
  to?: string;
  filesTo?: string;
}

/** `move`. */
export function addMoveCommand(program: Command, choose: (work: Work) => void): void {
  program
    .command('move')
    .description(
      'Move the database from the data folder to a server, or from the server of DATABASE_URL to another server or a folder, and stored files to another store. The service must not run. A move that was broken off is taken up by the same command.',
    )
    .option('--to <database>', 'postgres://… of an empty database, or a new data folder')
    .option('--files-to <store>', 'file:///folder or s3://bucket/prefix?…, as REDPEN_BLOB_URL')
    .action((words: MoveWords) => choose({ kind: 'setup', run: (setup) => move(setup, words) }));
}

/** A database that no service uses while it is open. */
interface Place {
  name: string;
  connection: pg.ClientConfig;
  close(): Promise<void>;
}

/** Locks the data folder and starts its PostgreSQL. */
async function openFolder(dataDir: string, { config, log }: Setup): Promise<Place> {
  refusePgliteFolder(dataDir);
  closeToOthers(dataDir, { ...DATA_FOLDER, log });
  const lock = lockDataDir(dataDir);
  try {
    const settings = {
      memoryMb: config.REDPEN_POSTGRES_MEMORY,
      connections: config.REDPEN_POSTGRES_CONNECTIONS,
    };
    const engine = await startEngine({ dataDir, log, settings });
    return {
      name: dataDir,
      connection: { ...engine.connection },
      close: () => engine.stop().finally(() => lock.release()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function serverAt(connectionString: string): Place {
  const { host, pathname } = new URL(connectionString);
  return { name: `postgres://${host}${pathname}`, connection: { connectionString }, close: async () => {} };
}

const isServer = (address: string): boolean => /^postgres(ql)?:\/\//.test(address);

async function openSource(setup: Setup, dataDir: string): Promise<Place> {
  const { DATABASE_URL: server } = setup.config;
  if (server !== undefined) return serverAt(server);
  if (!existsSync(dataDir))
    throw failedPrecondition(
      `There is no data directory ${dataDir}: set REDPEN_DATA_DIR to that of the service.`,
    );
  return await openFolder(dataDir, setup);
}

async function openTarget(to: string, setup: Setup, source: Place): Promise<Place> {
  const isFolder = !isServer(to);
  if (isFolder && /^[a-z][a-z0-9+.-]+:\/\//.test(to) && !to.startsWith('file:'))
    throw failedPrecondition(`${to} is neither postgres://… nor a folder.`);
  const folder = isFolder ? resolve(to.startsWith('file:') ? fileURLToPath(to) : to) : undefined;
  if (folder === source.name) throw failedPrecondition('The database is in this folder already.');
  return folder === undefined ? serverAt(to) : await openFolder(folder, setup);
}

async function move(setup: Setup, { to, filesTo }: MoveWords): Promise<Outcome> {
  return await explained(async () => {
    if (to === undefined && filesTo === undefined)
      throw failedPrecondition('Name the place to move to: --to DATABASE, --files-to STORE, or both.');
    const { config, onProgress } = setup;
    const dataDir = resolve(config.REDPEN_DATA_DIR);
    const lines: string[] = [];
    // Also while only files move: a service would add more of them.
    const source = await openSource(setup, dataDir);
    try {
      if (filesTo !== undefined) lines.push(...(await moveStoredFiles(config, dataDir, filesTo, onProgress)));
      if (to !== undefined) {
        const target = await openTarget(to, setup, source);
        try {
          lines.push(...(await moveRows(setup, source, target)));
        } finally {
          await target.close();
        }
      }
    } finally {
      await source.close();
    }
    return { output: `${lines.join('\n')}\n`, exitCode: 0 };
  });
}

async function moveStoredFiles(
  config: Config,
  dataDir: string,
  filesTo: string,
  onProgress: (line: string) => void,
): Promise<string[]> {
  if (!/^(file|s3):\/\//.test(filesTo))
    throw failedPrecondition(`${filesTo} is neither file:///folder nor s3://bucket/prefix.`);
  const source = openBlobStore(blobAddressOf(config, dataDir), { setting: blobSettingOf(config) });
  const { count, bytes } = await moveFiles(
    source,
    openBlobStore(filesTo, { setting: '--files-to' }),
    onProgress,
  );
  return [
    `${plural(count, 'stored file')} (${(bytes / 1_000_000).toFixed(1)} MB) copied to ${filesTo}. Set REDPEN_BLOB_URL to it; the earlier ones are kept and can be deleted.`,
  ];
}

async function moveRows({ config, onProgress }: Setup, source: Place, target: Place): Promise<string[]> {
  const isFolder = !isServer(target.name);
  const keys = isFolder ? await keysFor(config, target.name) : undefined;
  for (const place of [source, target]) await prepareTables(place);
  const tables = await moveDatabase({
    source: source.connection,
    target: target.connection,
    targetName: target.name,
    onBegin: () => recordMove(source, target),
    onProgress,
  });
  if (keys !== undefined) writeMasterKey(target.name, keys);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `${plural(rows, 'row')} in ${tables.length} tables were moved to ${target.name}, and compared.`,
    isFolder
      ? `Start Redpen with REDPEN_DATA_DIR=${target.name} and without DATABASE_URL.`
      : `Start Redpen with DATABASE_URL set to it. The master key and stored files stay in ${resolve(config.REDPEN_DATA_DIR)}, as before.`,
    'The earlier database is kept and is not used any more; it can be deleted.',
  ];
}

/** Writes to the audit log of the source, which is then copied with all other rows. */
async function recordMove(source: Place, target: Place): Promise<void> {
  const { db, close } = openInThread({ ...source.connection, application_name: 'redpen move' }, 1);
  try {
    const after = { from: source.name, to: target.name };
    await recordForService(db, 'redpen move', { action: 'database.move_started', id: 'service', after });
  } finally {
    await close();
  }
}

/** The master keys that the target folder needs; undefined if it has them, or if settings name their source. */
async function keysFor(config: Config, folder: string): Promise<Buffer[] | undefined> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const own = requireKeySource(config, dataDir);
  if (own.path !== keyPathOf(dataDir)) return undefined;
  const keys = await own.read();
  const source = keySourceOf({ ...config, REDPEN_MASTER_KEY_PREVIOUS: undefined }, folder);
  const [there] = source.hasKey ? await source.read() : [];
  if (there === undefined) return keys;
  if (there.equals(keys[0]!)) return undefined;
  throw failedPrecondition(`${keyPathOf(folder)} is another master key: take a new folder.`);
}

/** Brings a database to the schema of this version, as a start of the service does. */
async function prepareTables({ name, connection }: Place): Promise<void> {
  const pool = new pg.Pool({ ...connection, max: 2, application_name: 'redpen move' });
  pool.on('error', () => {});
  try {
    await pool.query('select 1').catch((error: NodeJS.ErrnoException) => {
      throw failedPrecondition(`The database at ${name} cannot be used: ${error.message || error.code}.`);
    });
    await createTables(pool);
  } finally {
    await pool.end();
  }
}
