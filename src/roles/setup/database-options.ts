import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { watchStatements } from '../../db/statement-watch.ts';

/** Options of `openDatabase` for a configuration. */
export function databaseOptions(config: Config, log: Logger, onError: (error: Error) => void) {
  const onStatement = watchStatements({ log, slowMs: config.REDPEN_SLOW_STATEMENT_MS });
  if (config.DATABASE_URL !== undefined) return { databaseUrl: config.DATABASE_URL, onError, onStatement };
  return {
    dataDir: resolve(config.REDPEN_DATA_DIR),
    log,
    settings: {
      memoryMb: config.REDPEN_POSTGRES_MEMORY,
      connections: config.REDPEN_POSTGRES_CONNECTIONS,
    },
    onError,
    onStatement,
  };
}
