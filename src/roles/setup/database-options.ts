import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { watchStatements } from '../../db/statement-watch.ts';

/**
 * Options of `openDatabase` for a configuration. Without `isPatient`, a server that is starting counts as a fault at
 * once; `signal` ends the wait for it.
 */
export function databaseOptions(
  config: Config,
  log: Logger,
  onError: (error: Error) => void,
  {
    isPatient = true,
    readsReplicas = false,
    signal,
  }: { isPatient?: boolean; readsReplicas?: boolean; signal?: AbortSignal | undefined } = {},
) {
  const onStatement = watchStatements({ log, slowMs: config.REDPEN_SLOW_STATEMENT_MS });
  if (config.DATABASE_URL !== undefined) {
    const waiting = isPatient ? { log, signal } : undefined;
    return {
      databaseUrl: config.DATABASE_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      replicaUrls: readsReplicas ? config.DATABASE_REPLICA_URL : undefined,
      waiting,
      onError,
      onStatement,
    };
  }
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
