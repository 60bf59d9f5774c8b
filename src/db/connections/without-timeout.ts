import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { plugins } from '../driver-settings.ts';
import { rowOf } from '../sql-fragments.ts';
import type { Db, Tables } from '../tables.ts';
import { WITHOUT_JIT } from './pool.ts';
import { setOnConnect } from './pooling.ts';

const CANCEL_EVERY_MS = 250;

const backendRow = z.object({ pid: z.number() });

/**
 * Runs work on a connection of its own, without a statement timeout. When the signal fires, `shared` cancels the current
 * statement and all later ones.
 */
export async function runWithoutTimeout<T>(
  settings: pg.PoolConfig,
  shared: pg.Pool,
  work: (db: Db) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const pool = new pg.Pool({ ...settings, max: 1, onConnect: setOnConnect(WITHOUT_JIT) });
  pool.on('error', () => {});
  // Without this listener a broken connection would end the process; with it, the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  const own = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  try {
    return await own.connection().execute(async (db) => {
      const { pid } = await rowOf(db, backendRow, sql`select pg_backend_pid() as pid`);
      let ended = false;
      // A cancel that arrives between two statements cancels nothing, so it is repeated until the work has ended.
      const cancelUntilEnded = async () => {
        while (!ended) {
          await shared.query('select pg_cancel_backend($1)', [pid]).catch(() => {});
          await sleep(CANCEL_EVERY_MS);
        }
      };
      const onAbort = () => void cancelUntilEnded();
      signal.throwIfAborted();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await work(db);
      } finally {
        ended = true;
        signal.removeEventListener('abort', onAbort);
      }
    });
  } finally {
    await own.destroy();
  }
}
