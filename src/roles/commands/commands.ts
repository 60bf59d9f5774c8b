import { resolve } from 'node:path';
import { type Database, openForCommand } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import { isNewDatabase, migrate, pendingMigrations, refuseNewerSchema } from '../../db/migrate.ts';
import { refuseMoved } from '../../db/moved.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { ApiError, failedPrecondition } from '../../lib/errors.ts';
import { refusePgliteFolder } from '../../postgres/pglite-folder.ts';
import { databaseOptions } from '../setup/database-options.ts';
import { openKeysOfCommand } from '../setup/hold-keys.ts';
import { ensureKeySource, requireKeySource } from '../setup/keyring.ts';
import type { Outcome, Setup, Work } from '../terminal/outcome.ts';
import { readCommand } from './program.ts';

/**
 * Runs a command. Connects to the database of a running service, or starts the embedded PostgreSQL for as long as the
 * command runs.
 */
export async function runCommand(words: string[], readSetup: () => Setup): Promise<Outcome> {
  const read = readCommand(words);
  if ('exitCode' in read) return read;
  if (read.kind === 'look') return await read.run(readSetup);
  const setup = readSetup();
  if (read.kind === 'setup') return await read.run(setup);
  return await onDatabase(read, setup);
}

async function onDatabase(work: Exclude<Work, { kind: 'setup' | 'look' }>, setup: Setup): Promise<Outcome> {
  const { config, log } = setup;
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  if (config.DATABASE_URL === undefined) refusePgliteFolder(dataDir);
  const onError = (error: Error) => logFault(log, error, 'background work fails');
  const makesFolder = work.kind === 'data' && work.beginsAnew;
  const database = await openForCommand(databaseOptions(config, log, onError), { makesFolder });
  if (database === undefined) {
    return {
      output: `There is no data directory ${dataDir}: set REDPEN_DATA_DIR to that of the service.\n`,
      exitCode: 1,
    };
  }
  try {
    if (work.kind === 'database') return await work.run(database);
    const isNew = await prepare(database, work.beginsAnew);
    const openKeys = () => keysOf(database.db, setup, isNew);
    const said = await work.run({ db: database.db, config, openKeys, onProgress: setup.onProgress });
    return { exitCode: 0, ...(typeof said === 'string' ? { output: said } : said) };
  } catch (error) {
    if (error instanceof ApiError) return { output: `${error.message}\n`, exitCode: 1 };
    throw error;
  } finally {
    await database.close();
  }
}

/** Requires the schema of this version. Creates it in an empty database if allowed, and returns true then. */
async function prepare(database: Database, beginsAnew: boolean): Promise<boolean> {
  await refuseMoved({ query: (text, values) => database.forJobs.executeSql(text, values) });
  await refuseNewerSchema(database.db);
  if ((await pendingMigrations(database.db)).length === 0) return false;
  if (!(await isNewDatabase(database.db))) {
    throw failedPrecondition('The database is not up to date: start the service once, then try again.');
  }
  if (!beginsAnew) {
    throw failedPrecondition(
      'No service has run on this database yet: start it once, or begin with redpen workspace create EMAIL.',
    );
  }
  await database.withoutTimeout(migrate, new AbortController().signal);
  return true;
}

/** Opens the keys that seal secrets and checks that they fit the data. A new database gets a new key if needed. */
async function keysOf(db: Db, { config, onProgress }: Setup, isNew: boolean): Promise<Keyring> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const source = isNew
    ? ensureKeySource(config, dataDir, {
        warn: ({ path }) =>
          onProgress(`Made a master key: ${path}. Keep a copy of it; sealed secrets cannot be read without.`),
      })
    : requireKeySource(config, dataDir);
  return await openKeysOfCommand(db, source);
}
