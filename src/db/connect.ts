import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { fromKysely, type Db as JobDatabase } from 'pg-boss';
import { z } from 'zod';
import type { EngineSettings } from '../postgres/cluster.ts';
import { DataDirInUse, lockDataDir } from '../postgres/data-dir.ts';
import { type EngineLog, findRunning, startEngine } from '../postgres/engine.ts';
import { closeToOthers, DATA_FOLDER } from '../postgres/private-folder.ts';
import { countError, type PoolState } from './database-meters.ts';
import { plugins, types } from './driver-settings.ts';
import { statementNameOf } from './prepared.ts';
import { boundResults, type GivenUp } from './result-bounds.ts';
import { requireSessions, sayOnConnect } from './sessions.ts';
import { rowOf } from './sql-fragments.ts';
import type { Db, Tables, Tx } from './tables.ts';

export interface Database {
  db: Db;
  /** `embedded`: the PostgreSQL that comes along, on a data folder that one service holds. */
  kind: 'embedded' | 'server';
  /** How another thread or program connects to it; plain data. */
  connection: pg.ClientConfig;
  /** How many requests may use the database at once and leave connections for what goes on in the background. */
  requestConnections: number;
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
  /**
   * Runs background work on a connection of its own, whose statements may take as long as they need. Once the signal
   * has fired, each statement is broken off.
   */
  unhurried<T>(work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** What is wrong with the server that comes along, in sentences. */
  faults(): string[];
  pool(): PoolState;
  close(): Promise<void>;
}

interface ServerOptions {
  databaseUrl: string;
  onError: (error: Error) => void;
}

interface FolderOptions {
  databaseUrl?: undefined;
  /** The data folder, in which the PostgreSQL that comes along keeps its files. */
  dataDir: string;
  log: EngineLog;
  settings?: EngineSettings;
  onError: (error: Error) => void;
}

/**
 * Opens the server of a URL, or else the PostgreSQL that comes along, which is started on the data folder. Throws an
 * error that says what to do where that cannot be.
 */
export async function openDatabase(options: ServerOptions | FolderOptions): Promise<Database> {
  if (options.databaseUrl !== undefined) {
    return await openServer({ connectionString: options.databaseUrl }, 'server', options.onError).catch(
      (error: NodeJS.ErrnoException) => {
        throw new Error(
          `The database that DATABASE_URL names cannot be used: ${error.message || error.code}.`,
          { cause: error },
        );
      },
    );
  }
  const { dataDir, log, settings, onError } = options;
  closeToOthers(dataDir, { ...DATA_FOLDER, log });
  const lock = lockDataDir(dataDir);
  try {
    const engine = await startEngine({ dataDir, log, settings });
    try {
      const database = await openServer({ ...engine.connection }, 'embedded', onError);
      return {
        ...database,
        faults: engine.faults,
        async close() {
          try {
            await database.close();
          } finally {
            await engine.stop().finally(() => lock.release());
          }
        },
      };
    } catch (error) {
      await engine.stop();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * The same for a command beside the service: where a service holds the data folder, its server is used. Undefined
 * where there is no data folder and none shall be made.
 */
export async function openForCommand(
  options: ServerOptions | FolderOptions,
  { makesFolder = false }: { makesFolder?: boolean } = {},
): Promise<Database | undefined> {
  if (options.databaseUrl !== undefined) return await openDatabase(options);
  if (!makesFolder && !existsSync(options.dataDir)) return undefined;
  try {
    return await openDatabase(options);
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    const running = findRunning(options.dataDir);
    if (running === undefined) throw error;
    return await openServer({ ...running.connection }, 'embedded', options.onError);
  }
}

/** Of the pool, for the relay, jobs, deliveries and upkeep. */
const BACKGROUND_CONNECTIONS = 2;

// Our statements are short, and compiling one costs more than it ever saves.
const WITHOUT_JIT = { jit: 'off' };

async function openServer(
  connection: pg.ClientConfig,
  kind: Database['kind'],
  onError: (error: Error) => void,
): Promise<Database> {
  const settings: pg.PoolConfig = {
    ...connection,
    types,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // A connection that only listens would otherwise learn after hours that a network forgot it.
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'redpen',
  };
  const pool = new pg.Pool({
    ...settings,
    // The server that comes along is sized for a small machine, whose memory a connection at rest takes.
    ...(kind === 'embedded'
      ? { max: 18, idleTimeoutMillis: 10_000 }
      : { max: 28, idleTimeoutMillis: 60_000 }),
    // A half-open connection must fail in a bounded time, and a stuck statement must not hold its row locks.
    query_timeout: 60_000,
    onConnect: sayOnConnect({
      ...WITHOUT_JIT,
      statement_timeout: 55_000,
      idle_in_transaction_session_timeout: 60_000,
    }),
  });
  const bound = boundResults();
  let isClosing = false;
  pool.on('error', (error: Error & { client?: unknown }) => {
    // A server that stops right after this pool may end a connection before the pool has.
    if (isClosing) return;
    // It carries its connection, which does not belong in a log.
    delete error.client;
    onError(error);
  });
  pool.on('connect', (client) => {
    // The pool hears of connections that nobody uses. One that breaks between two statements of a transaction
    // would otherwise end the process; whoever uses it learns of it from the next statement.
    client.on('error', () => {});
    prepareKnownStatements(client, bound(client));
  });
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: () =>
          pool.connect().catch((error: unknown) => {
            countError(error);
            throw error;
          }),
        end: () => pool.end(),
        options: pool.options,
        Client: pg.Client,
      },
    }),
    plugins: plugins(),
    log(event) {
      if (event.level === 'error') countError(event.error);
    },
  });
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
    if (kind === 'server') await requireSessions(pool);
    else await sql`select 1`.execute(db);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    db,
    kind,
    connection,
    requestConnections: pool.options.max - BACKGROUND_CONNECTIONS,
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
    unhurried: (work, signal) => workUnhurried(settings, pool, work, signal),
    faults: () => [],
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      // Who asks waits for a moment also where a connection is free.
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
      most: pool.options.max,
    }),
    async close() {
      isClosing = true;
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
  const pool = new pg.Pool({ ...settings, max: 1, onConnect: sayOnConnect(WITHOUT_JIT) });
  pool.on('error', () => {});
  // As above: the next statement fails with it.
  pool.on('connect', (client) => client.on('error', () => {}));
  const own = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  try {
    return await own.connection().execute(async (db) => {
      const { pid } = await rowOf(db, z.object({ pid: z.number() }), sql`select pg_backend_pid() as pid`);
      let ended = false;
      // A cancel that arrives between two statements cancels nothing, so it is repeated until the work has ended.
      const breakOff = async () => {
        while (!ended) {
          await shared.query('select pg_cancel_backend($1)', [pid]).catch(() => {});
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

/**
 * Makes a connection plan those statements once that are known to come again. On one that was given up, all fail with
 * the reason: the rollback of a transaction, too, whose failure is thrown in place of the first one.
 */
function prepareKnownStatements(client: pg.PoolClient, givenUp: GivenUp): void {
  const query = client.query.bind(client) as (...request: unknown[]) => unknown;
  client.query = ((text: unknown, values?: unknown[], ...rest: unknown[]) => {
    const name = typeof text === 'string' ? statementNameOf(text) : undefined;
    const reason = givenUp();
    if (reason && rest.length === 0 && typeof values !== 'function') return Promise.reject(reason);
    if (name === undefined || rest.length > 0) return query(text, values, ...rest);
    return new Promise((resolve, reject) => {
      const known = new pg.Query(
        text as string,
        values,
        (error: Error | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result)),
      );
      // As a field of its own: what is passed as one object with the text is copied first, which takes longer than
      // all else that is done to send a statement.
      query(Object.assign(known, { name }));
    });
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
