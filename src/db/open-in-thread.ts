import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { plugins, types } from './driver-settings.ts';
import { sayOnConnect } from './sessions.ts';
import type { Db, Tables } from './tables.ts';

/** Opens the database of `Database.connection` in a thread, with at most `max` connections of its own. */
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
    onConnect: sayOnConnect({ jit: 'off', statement_timeout: 55_000 }),
  });
  // The next statement on a connection that broke fails with it; idle ones are made anew.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  return { db, close: () => db.destroy() };
}
