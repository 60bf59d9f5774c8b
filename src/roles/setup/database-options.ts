import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';

/** Options of `openDatabase` for a configuration. */
export const databaseOptions = (config: Config, log: Logger, onError: (error: Error) => void) =>
  config.DATABASE_URL === undefined
    ? {
        dataDir: resolve(config.REDPEN_DATA_DIR),
        log,
        settings: {
          memoryMb: config.REDPEN_POSTGRES_MEMORY,
          connections: config.REDPEN_POSTGRES_CONNECTIONS,
        },
        onError,
      }
    : { databaseUrl: config.DATABASE_URL, onError };
