import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';

/**
 * Options of `openDatabase` for a configuration. Without `isPatient`, a server that is starting counts as a fault at
 * once; `signal` ends the wait for it.
 */
export const databaseOptions = (
  config: Config,
  log: Logger,
  onError: (error: Error) => void,
  { isPatient = true, signal }: { isPatient?: boolean; signal?: AbortSignal | undefined } = {},
) =>
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
    : {
        databaseUrl: config.DATABASE_URL,
        waiting: isPatient ? { log, signal } : undefined,
        onError,
      };
