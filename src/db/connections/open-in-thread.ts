import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { plugins, types } from '../driver-settings.ts';
import { prepareKnownStatements } from '../prepared.ts';
import type { Db, Tables } from '../tables.ts';
import { setOnConnect } from './pooling.ts';

/**
 * Opens the database in a worker thread: `connection` is that of the main thread's `Database`, and `max` limits the
 * connections of the new pool.
 */
export function openInThread(connection: pg.ClientConfig, max: number): { db: Db; close(): Promise<void> } {
  const pool = new pg.Pool({
    application_name: 'redpen',
    ...connection,
    types,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    query_timeout: 60_000,
    keepAlive: true,
    onConnect: setOnConnect({ jit: 'off', statement_timeout: 55_000 }),
  });
  // After an error, the next statement on a broken connection fails, and idle ones are replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    prepareKnownStatements(client);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  return { db, close: () => db.destroy() };
}
