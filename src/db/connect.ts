import { setTimeout as sleep } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

import { fromKysely, fromPglite, type Db as JobDatabase } from 'pg-boss';
import { lockDataDir } from './data-dir.ts';
import { plugins, types } from './driver-settings.ts';
import { openPglite } from './durable-pglite.ts';
import { statementNameOf } from './prepared.ts';
import type { Db, Tables, Tx } from './tables.ts';

export interface Database {
  db: Db;
  kind: 'embedded' | 'postgres';
  /** How a thread of this process opens connections of its own; plain data. */
  connection: pg.ClientConfig;
  /** What the job queue speaks to outside of a request's transaction. */
  forJobs: JobDatabase;
  /** What the job queue speaks to inside of one. */
  inTransaction(tx: Tx): JobDatabase;
  /**
   * Calls back for every NOTIFY on a channel. `onReset` tells that some may have been missed: when it stopped to
   * listen, and when it listens, which PostgreSQL does some time after this resolved.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onReset: (isListening: boolean) => void,
  ): Promise<() => Promise<void>>;
  /** Syncs of the embedded database's files so far. */
  syncs(): number;
  /**
   * Gives work that nobody waits for a connection of its own, whose statements may take as long as they need; the
   * embedded database has but one, and lacks this. Once the signal has fired, each statement is broken off.
   */
  unhurried?<T>(work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

interface Options {
  databaseUrl?: string | undefined;
  /** Folder of the embedded database; in memory where it is left out. */
  dataDir?: string | undefined;
  onError: (error: Error) => void;
}

/** Opens PostgreSQL where a URL is given, else the embedded database. */
export const openDatabase = (options: Options): Promise<Database> =>
  options.databaseUrl === undefined
    ? openEmbedded(options)
    : openPostgres(options.databaseUrl, options.onError);

async function openEmbedded({ dataDir }: Options): Promise<Database> {
  const lock = dataDir === undefined ? undefined : lockDataDir(dataDir);
  let syncs = 0;
  let pglite: PGlite;
  try {
    pglite = await openPglite(dataDir, () => {
      syncs += 1;
    });
  } catch (error) {
    lock?.release();
    throw error;
  }
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }), plugins: plugins() });
  return {
    db,
    kind: 'embedded',
    connection: {},
    forJobs: fromPglite(pglite),
    inTransaction: (tx) => fromKysely(tx.withoutPlugins()),
    async listen(channel, onMessage) {
      const stop = await pglite.listen(channel, onMessage);
      return () => stop();
    },
    syncs: () => syncs,
    async close() {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
      lock?.release();
    },
  };
}

async function openPostgres(databaseUrl: string, onError: (error: Error) => void): Promise<Database> {
  const settings: pg.PoolConfig = {
    connectionString: databaseUrl,
    types,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Who only listens would else learn after hours that a network forgot the connection.
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'redpen',
    // Our statements are short, and compiling one costs more than it ever saves.
    options: '-c jit=off',
  };
  const pool = new pg.Pool({
    ...settings,
    max: 20,
    idleTimeoutMillis: 60_000,
    // A half-open connection must fail in a bounded time, and a stuck statement must not hold its row locks.
    query_timeout: 60_000,
    statement_timeout: 55_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  pool.on('error', (error: Error & { client?: unknown }) => {
    // It comes with its connection, which is more than a log should be told.
    delete error.client;
    onError(error);
  });
  pool.on('connect', (client) => {
    // The pool hears of connections that nobody uses. One that breaks between two statements of a transaction
    // would otherwise end the process; whoever uses it learns of it from the next statement.
    client.on('error', () => {});
    prepareKnownStatements(client);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  const listeners = new Set<() => Promise<void>>();
  const listen = (
    channel: string,
    onMessage: (payload: string) => void,
    onReset: (isListening: boolean) => void,
  ) => {
    const stop = listenOn(settings, channel, onMessage, onReset, onError);
    listeners.add(stop);
    return stop;
  };
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(`The database that DATABASE_URL names cannot be used: ${message || code}.`, {
      cause: error,
    });
  }
  return {
    db,
    kind: 'postgres',
    connection: { connectionString: databaseUrl },
    forJobs: {
      async executeSql(text, values) {
        const result = (await pool.query(text, values)) as pg.QueryResult | pg.QueryResult[];
        return Array.isArray(result) ? { rows: result.flatMap((one) => one.rows as unknown[]) } : result;
      },
      listen: async (channel, onNotification, onReconnect) => ({
        close: listen(channel, onNotification, onReconnect),
      }),
    },
    inTransaction: (tx) => fromKysely(tx.withoutPlugins()),
    listen: async (channel, onMessage, onReset) => listen(channel, onMessage, onReset),
    syncs: () => 0,
    unhurried: (work, signal) => workUnhurried(settings, pool, work, signal),
    async close() {
      await Promise.all([...listeners].map((stop) => stop()));
      await db.destroy();
    },
  };
}

const BREAK_OFF_EVERY_MS = 250;

async function workUnhurried<T>(
  settings: pg.PoolConfig,
  shared: pg.Pool,
  work: (db: Db) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const pool = new pg.Pool({ ...settings, max: 1 });
  pool.on('error', () => {});
  // As above: whoever works hears of it from the next statement.
  pool.on('connect', (client) => client.on('error', () => {}));
  const own = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  try {
    return await own.connection().execute(async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      let ended = false;
      // What comes between two statements breaks none off, so it comes again until the work has ended.
      const breakOff = async () => {
        while (!ended) {
          await shared.query('select pg_cancel_backend($1)', [rows[0]!.pid]).catch(() => {});
          await sleep(BREAK_OFF_EVERY_MS);
        }
      };
      const onAbort = () => void breakOff();
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

/** Makes a connection plan those statements once that are known to come again. */
function prepareKnownStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...request: unknown[]) => unknown;
  client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const name = typeof text === 'string' ? statementNameOf(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  }) as typeof client.query;
}

/** A connection of its own that listens, and comes back by itself after it broke. */
function listenOn(
  settings: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
  onReset: (isListening: boolean) => void,
  onError: (error: Error) => void,
): () => Promise<void> {
  let stopped = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client(settings);
    client = next;
    let broken = false;
    const lost = (error?: Error) => {
      if (broken) return;
      broken = true;
      next.end().catch(() => {});
      if (stopped) return;
      if (error) onError(error);
      onReset(false);
      retry = setTimeout(() => void connect(), 1_000);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${next.escapeIdentifier(channel)}`);
      onReset(true);
    } catch (error) {
      lost(error as Error);
    }
  };
  void connect();
  return async () => {
    stopped = true;
    clearTimeout(retry);
    await client?.end().catch(() => {});
  };
}
