import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openForCommand } from '../db/connect.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { ApiError } from '../lib/errors.ts';
import { refuseEarlierFolder } from '../postgres/earlier-folder.ts';
import { checkKeyring } from '../store/key-checks.ts';
import { databaseOptions } from './database-options.ts';
import { openKeyring } from './keyring.ts';
import type { Outcome, Setup } from './outcome.ts';
import { type CommandDeps, readCommand, type Work } from './program.ts';

/**
 * Runs a command. It connects to the database of a running service; where none runs on the data folder, it starts the
 * PostgreSQL that comes along for as long as it takes.
 */
export async function runCommand(words: string[], readSetup: () => Setup): Promise<Outcome> {
  const read = readCommand(words);
  if ('exitCode' in read) return read;
  if (read.kind === 'look') return await read.run(readSetup);
  const setup = readSetup();
  if (read.kind === 'setup') return await read.run(setup);
  return await onDatabase(read, setup);
}

async function onDatabase(
  work: Exclude<Work, { kind: 'setup' | 'look' }>,
  { config, log }: Setup,
): Promise<Outcome> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  if (config.DATABASE_URL === undefined) refuseEarlierFolder(dataDir);
  const onError = (error: Error) => log.error({ err: error }, 'background error');
  const database = await openForCommand(databaseOptions(config, log, onError));
  if (database === undefined) {
    return {
      output: `There is no data directory ${dataDir}: set REDPEN_DATA_DIR to that of the service.\n`,
      exitCode: 1,
    };
  }
  const { db } = database;
  try {
    if (work.kind === 'database') return await work.run(database);
    if ((await pendingMigrations(db)).length > 0) {
      throw new ApiError(
        'FAILED_PRECONDITION',
        'The database is not up to date: start the service once, then try again.',
      );
    }
    const openKeys: CommandDeps['openKeys'] = async () => {
      if (config.REDPEN_MASTER_KEY === undefined && !existsSync(join(dataDir, 'master.key'))) {
        throw new ApiError(
          'FAILED_PRECONDITION',
          `There is no master key in ${dataDir}: set REDPEN_MASTER_KEY as the service has it.`,
        );
      }
      const keyring = openKeyring(config, dataDir, log);
      await checkKeyring(db, keyring);
      return keyring;
    };
    return { output: await work.run({ db, openKeys }), exitCode: 0 };
  } catch (error) {
    if (error instanceof ApiError) return { output: `${error.message}\n`, exitCode: 1 };
    throw error;
  } finally {
    await database.close();
  }
}
