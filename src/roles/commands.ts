import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/connect.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { ApiError } from '../lib/errors.ts';
import { checkKeyring } from '../store/key-checks.ts';
import { askAdmin } from './admin.ts';
import { openKeyring } from './keyring.ts';
import { type Outcome, perform, readCommand, type Work } from './program.ts';

interface Setup {
  config: Config;
  log: Logger;
}

/** Does a command: in the running service where that one holds the database, else here. */
export async function runCommand(words: string[], readSetup: () => Setup): Promise<Outcome> {
  const read = readCommand(words);
  if (typeof read !== 'function') return read;
  const { config, log } = readSetup();
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const answered = config.DATABASE_URL === undefined ? await askAdmin(dataDir, words) : undefined;
  return answered ?? (await performHere(read, config, dataDir, log));
}

async function performHere(work: Work, config: Config, dataDir: string, log: Logger): Promise<Outcome> {
  if (config.DATABASE_URL === undefined && !existsSync(dataDir)) {
    return {
      output: `There is no data directory ${dataDir}: set REDPEN_DATA_DIR to that of the service.\n`,
      exitCode: 1,
    };
  }
  const onError = (error: Error) => log.error({ err: error }, 'background error');
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir, onError });
  try {
    const pending = await pendingMigrations(database.db);
    if (pending.length > 0) {
      throw new ApiError(
        'FAILED_PRECONDITION',
        'The database is not up to date: start the service once, then try again.',
      );
    }
    const keyring = openKeyring(config, dataDir, log);
    await checkKeyring(database.db, keyring);
    return await perform(work, { db: database.db, keyring });
  } catch (error) {
    if (error instanceof ApiError) return { output: `${error.message}\n`, exitCode: 1 };
    throw error;
  } finally {
    await database.close();
  }
}
