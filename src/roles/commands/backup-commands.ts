import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { type Database, openDatabase, openForCommand } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import { isNewDatabase, pendingMigrations } from '../../db/migrate.ts';
import { keyIdOf } from '../../lib/crypto.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { plural } from '../../lib/text/plural.ts';
import {
  type ArchiveStore,
  openArchiveStore,
  readFileAt,
  writeFile,
} from '../../outside/storage/archive-store.ts';
import { openBlobStore } from '../../outside/storage/open-blob-store.ts';
import { refusePgliteFolder } from '../../postgres/pglite-folder.ts';
import { type BackupTarget, backupName, createBackup, listBackups } from '../backup/backups.ts';
import {
  type CheckedBackup,
  checkBackup,
  requireKnownMigrations,
  restoreBackup,
} from '../backup/restore-backup.ts';
import { databaseOptions } from '../setup/database-options.ts';
import { keySourceOf, requireKeySource, writeMasterKey } from '../setup/keyring.ts';
import { blobAddressOf, blobSettingOf } from '../setup/places.ts';
import { recordForService } from '../setup/run-operation.ts';
import type { Outcome, Setup } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';
import { explained } from './explained.ts';

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const inUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function requireStore(config: Config): ArchiveStore {
  if (config.REDPEN_BACKUP_URL === undefined) {
    throw failedPrecondition('Name a file, or set REDPEN_BACKUP_URL to a folder or bucket of backups.');
  }
  return openArchiveStore(config.REDPEN_BACKUP_URL);
}

/** A file of the operator's choice, or a new name in a folder of theirs. */
function fileTarget(chosen: string): BackupTarget & { name: string; remove: () => Promise<void> } {
  const isFolder = statSync(chosen, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const path = resolve(isFolder ? join(chosen, backupName(Date.now())) : chosen);
  if (existsSync(path))
    throw failedPrecondition(`${path} exists already: choose another name, or remove it.`);
  if (!existsSync(dirname(path))) throw failedPrecondition(`There is no folder ${dirname(path)}.`);
  return {
    name: path,
    write: () => writeFile(path),
    read: () => readFileAt(path),
    remove: () => rm(path, { force: true }),
  };
}

function storeTarget(store: ArchiveStore): ReturnType<typeof fileTarget> {
  const name = backupName(Date.now());
  return {
    name: `${name} in ${store.place}`,
    write: () => store.write(name),
    read: () => store.read(name),
    remove: () => store.remove(name),
  };
}

/** Writes a backup to a file, or to REDPEN_BACKUP_URL, whether the service runs or not. */
export const backUp = (
  { config, log, onProgress }: Setup,
  file: string | undefined,
  { withKey = false, files = true }: { withKey?: boolean; files?: boolean },
): Promise<Outcome> =>
  explained(async () => {
    const dataDir = resolve(config.REDPEN_DATA_DIR);
    if (config.DATABASE_URL === undefined) refusePgliteFolder(dataDir);
    const target = file === undefined ? storeTarget(requireStore(config)) : fileTarget(file);
    const onError = (error: Error) => logFault(log, error, 'background work fails');
    const database = await openForCommand(databaseOptions(config, log, onError));
    if (database === undefined) throw failedPrecondition(`There is no data directory ${dataDir}.`);
    try {
      if (await isNewDatabase(database.db))
        throw failedPrecondition('No service has run on this database yet.');
      const written = await createBackup(
        {
          connection: database.connection,
          blobs: files
            ? openBlobStore(blobAddressOf(config, dataDir), { setting: blobSettingOf(config) })
            : undefined,
          masterKeys: withKey ? await requireKeySource(config, dataDir).read() : undefined,
          signal: new AbortController().signal,
          onProgress,
        },
        target,
      );
      const rows = written.end.tables.reduce((sum, each) => sum + each.rows, 0);
      const { bytes, sha256 } = written;
      const after = { rows, bytes, sha256, withKey, files };
      // An earlier schema, which is backed up before an upgrade, may have no audit log.
      if ((await pendingMigrations(database.db)).length === 0)
        await recordForService(database.db, 'redpen backup', {
          action: 'backup.written',
          id: target.name,
          after,
        });
      return {
        output: [
          `Backup: ${target.name}`,
          `  ${plural(rows, 'row')} in ${written.end.tables.length} tables, ${plural(written.end.files.count, 'stored file')}, ${inMegabytes(written.bytes)}`,
          `  SHA-256 ${written.sha256}`,
          '',
        ].join('\n'),
        notice: withKey
          ? 'It contains the master key: who has this file can read all secrets in it.\n'
          : `It does not contain the master key (${written.head.masterKeys.join(', ')}), without which its secrets cannot be read: keep a copy of ${keySourceOf(config, dataDir).name} apart from it.\n`,
        exitCode: 0,
      };
    } finally {
      await database.close();
    }
  });

/** Lists the backups of REDPEN_BACKUP_URL, newest first. */
export const printBackups = ({ config }: Setup): Promise<Outcome> =>
  explained(async () => {
    const store = requireStore(config);
    const backups = await listBackups(store);
    if (backups.length === 0) return { output: `There is no backup in ${store.place}.\n`, exitCode: 0 };
    const rows = backups.map(({ name, bytes, createdAt }) => [name, inUtc(createdAt), inMegabytes(bytes)]);
    return { output: table([['NAME', 'WRITTEN', 'SIZE'], ...rows]), exitCode: 0 };
  });

/** Opens a backup by the path of a file, by its name in REDPEN_BACKUP_URL, or the newest one there as `latest`. */
async function findBackup(
  config: Config,
  wanted: string,
): Promise<{ name: string; read: BackupTarget['read'] }> {
  const path = resolve(wanted);
  if (existsSync(path)) return { name: path, read: () => readFileAt(path) };
  if (config.REDPEN_BACKUP_URL !== undefined && basename(wanted) === wanted) {
    const store = openArchiveStore(config.REDPEN_BACKUP_URL);
    const backups = await listBackups(store);
    const found = wanted === 'latest' ? backups[0] : backups.find(({ name }) => name === wanted);
    if (found) return { name: found.name, read: () => store.read(found.name) };
    throw failedPrecondition(`There is no backup ${wanted} in ${store.place}, and no file of that name.`);
  }
  throw failedPrecondition(`There is no file ${path}.`);
}

function describe(name: string, { head, end }: CheckedBackup): string[] {
  const rows = end.tables.reduce((sum, each) => sum + each.rows, 0);
  const key = head.hasKey ? 'with' : 'without';
  const files = head.hasFiles
    ? `${plural(end.files.count, 'stored file')} (${inMegabytes(end.files.bytes)})`
    : 'no files';
  return [
    `Backup: ${name}`,
    `  written ${inUtc(head.createdAt)} by Redpen ${head.version} on PostgreSQL ${head.postgres}`,
    `  ${plural(rows, 'row')} in ${end.tables.length} tables, ${files}, ${key} the master key (${head.masterKeys.join(', ')})`,
  ];
}

/** Reads a whole backup and checks every hash in it. */
export const checkOne = ({ config }: Setup, wanted: string): Promise<Outcome> =>
  explained(async () => {
    const { name, read } = await findBackup(config, wanted);
    const backup = await checkBackup(await read());
    requireKnownMigrations(backup.head);
    return { output: [...describe(name, backup), 'It is whole.', ''].join('\n'), exitCode: 0 };
  });

/** Restores a backup into an empty database: a new data folder, or the server of DATABASE_URL. */
export const restore = (
  setup: Setup,
  wanted: string,
  { files = true }: { files?: boolean },
): Promise<Outcome> =>
  explained(async () => {
    const { config, log, onProgress } = setup;
    const dataDir = resolve(config.REDPEN_DATA_DIR);
    if (config.DATABASE_URL === undefined) refusePgliteFolder(dataDir);
    const { name, read } = await findBackup(config, wanted);
    onProgress('Checking the backup.');
    const backup = await checkBackup(await read());
    requireKnownMigrations(backup.head);
    const keys = await chooseKeys(config, dataDir, backup);
    const onError = (error: Error) => logFault(log, error, 'background work fails');
    // Not beside a running service, which writes.
    const database: Database = await openDatabase(databaseOptions(config, log, onError));
    try {
      await restoreBackup({
        open: read,
        backup,
        connection: database.connection,
        blobs: files
          ? openBlobStore(blobAddressOf(config, dataDir), { setting: blobSettingOf(config) })
          : undefined,
        onProgress,
      });
      const after = { createdAt: backup.head.createdAt, version: backup.head.version, files };
      await recordForService(database.db, 'redpen restore', { action: 'backup.restored', id: name, after });
    } finally {
      await database.close();
    }
    if (keys !== undefined) writeMasterKey(dataDir, keys);
    const place = database.kind === 'embedded' ? dataDir : 'the server of DATABASE_URL';
    return {
      output: [...describe(name, backup), `Restored to ${place}. Start Redpen with \`npm start\`.`, ''].join(
        '\n',
      ),
      exitCode: 0,
    };
  });

/**
 * Requires all master keys of the backup's secrets, before anything is written. Returns the keys that are to be written to
 * the data folder, because they are in the backup and none is there.
 */
async function chooseKeys(
  config: Config,
  dataDir: string,
  { head, masterKeys }: CheckedBackup,
): Promise<Buffer[] | undefined> {
  const source = keySourceOf(config, dataDir);
  const brought = source.hasKey ? undefined : masterKeys;
  const known = [...(await source.read()), ...(brought ?? [])].map(keyIdOf);
  const missing = head.masterKeys.filter((id) => !known.includes(id));
  if (missing.length === 0) return brought;
  throw failedPrecondition(
    `The secrets in this backup are sealed with the master key ${missing.join(', ')}, which is not here: put the file master.key of the backed-up data folder into ${dataDir}, or let REDPEN_MASTER_KEY, REDPEN_MASTER_KEY_PREVIOUS, REDPEN_MASTER_KEY_FILE or REDPEN_MASTER_KEY_COMMAND have it.`,
  );
}
