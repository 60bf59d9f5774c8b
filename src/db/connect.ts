import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction, type TransactionBuilder } from 'kysely';
import pg from 'pg';
import { fromKysely, type Db as JobDatabase } from 'pg-boss';
import { z } from 'zod';
import { inSpan, isTraced } from '../lib/tracing/tracing.ts';
import type { EngineSettings } from '../postgres/cluster.ts';
import { DataDirInUse, lockDataDir } from '../postgres/data-dir.ts';
import { type EngineLog, findRunning, startEngine } from '../postgres/engine.ts';
import { closeToOthers, DATA_FOLDER } from '../postgres/private-folder.ts';
import { countError, type PoolState } from './database-metrics.ts';
import { plugins, types } from './driver-settings.ts';
import { prepareKnownStatements } from './prepared.ts';
import { limitResultSize } from './result-size-limit.ts';
import { refuseTransactionPooling, setOnConnect } from './session-parameters.ts';
import { rowOf } from './sql-fragments.ts';
import { type OnStatement, withoutLiterals } from './statement-watch.ts';
import type { Db, Tables, Tx } from './tables.ts';
import { type Waiting, waitForServer } from './wait-for-server.ts';

export interface Database {
  db: Db;
  /** `embedded`: the bundled PostgreSQL, on a data folder that one service has locked. */
  kind: 'embedded' | 'server';
  /** Settings with which another thread or program connects; plain data. */
  connection: pg.ClientConfig;
  /** Limit of requests that use the database at once; the other connections are for background work. */
  requestConnections: number;
  /** The job queue's access outside of a request's transaction. */
  forJobs: JobDatabase;
  /** The job queue's access within a transaction. */
  inTransaction(tx: Tx): JobDatabase;
  /**
   * Calls back for every NOTIFY on a channel. `onReset` reports that messages may have been missed: with false when
   * the connection is lost, and with true when it listens (again), which may be after this resolves.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onReset: (isListening: boolean) => void,
  ): Promise<() => Promise<void>>;
  /**
   * Runs background work on a connection of its own, without a statement timeout. When the signal fires, the current
   * statement and all later ones are cancelled.
   */
  withoutTimeout<T>(work: (db: Db) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Current faults of the embedded server, as sentences. */
  faults(): string[];
  pool(): PoolState;
  close(): Promise<void>;
}

interface ServerOptions {
  databaseUrl: string;
  /** Waits for a server that is starting or restarting; without it, the first attempt decides. */
  waiting?: Waiting | undefined;
  onError: (error: Error) => void;
  /** Called after each statement of this process. */
  onStatement?: OnStatement | undefined;
}

interface FolderOptions {
  databaseUrl?: undefined;
  /** The data folder, in which the bundled PostgreSQL keeps its files. */
  dataDir: string;
  log: EngineLog;
  settings?: EngineSettings;
  onError: (error: Error) => void;
  onStatement?: OnStatement | undefined;
}

/**
 * Opens the server at DATABASE_URL; without one, starts the bundled PostgreSQL on the data folder. Throws an error
 * with advice if neither can be used.
 */
export async function openDatabase(options: ServerOptions | FolderOptions): Promise<Database> {
  if (options.databaseUrl !== undefined) return await openNamedServer(options);
  const { dataDir, log, settings } = options;
  closeToOthers(dataDir, { ...DATA_FOLDER, log });
  const lock = lockDataDir(dataDir);
  try {
    const engine = await startEngine({ dataDir, log, settings });
    try {
      const database = await openServer({ ...engine.connection }, 'embedded', options);
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

async function openNamedServer({ databaseUrl, waiting, ...options }: ServerOptions): Promise<Database> {
  const connect = () => openServer({ connectionString: databaseUrl }, 'server', options);
  try {
    return await (waiting ? waitForServer(connect, waiting) : connect());
  } catch (error) {
    waiting?.signal?.throwIfAborted();
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(`The database that DATABASE_URL names cannot be used: ${message || code}.`, {
      cause: error,
    });
  }
}

/**
 * Opens the database for a command that runs beside the service: if a service has locked the data folder, the command
 * connects to its server. Returns undefined if there is no data folder, unless `makesFolder` is set.
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
    return await openServer({ ...running.connection }, 'embedded', options);
  }
}

/** Connections that are reserved for the relay, jobs, deliveries and maintenance. */
const BACKGROUND_CONNECTIONS = 2;

// Statements are short, and compiling one costs more than it saves.
const WITHOUT_JIT = { jit: 'off' };

const createPool = (settings: pg.PoolConfig, kind: Database['kind']): pg.Pool =>
  new pg.Pool({
    ...settings,
    // The embedded server is sized for a small machine, and an idle connection takes memory. Background work of an
    // idle process uses three at a time: opening them anew each time takes more processor time than their statements.
    ...(kind === 'embedded'
      ? { min: 3, max: 18, idleTimeoutMillis: 10_000 }
      : { min: 3, max: 28, idleTimeoutMillis: 60_000 }),
    // A query on a half-open connection must fail in a bounded time, and a stuck statement must not hold its row
    // locks.
    query_timeout: 60_000,
    onConnect: setOnConnect({
      ...WITHOUT_JIT,
      statement_timeout: 55_000,
      idle_in_transaction_session_timeout: 60_000,
    }),
  });

/** Has a span for each transaction, which also shows the wait for a connection. */
class TracedKysely extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    if (!isTraced()) return builder;
    return Object.assign(super.transaction(), {
      execute: <T>(work: (tx: Transaction<Tables>) => Promise<T>) =>
        inSpan('transaction', { attributes: { 'db.system.name': 'postgresql' } }, () =>
          builder.execute(work),
        ),
    });
  }
}

/** The query builder over a pool; errors of connections and statements are counted. */
const createQueryBuilder = (pool: pg.Pool, onStatement: OnStatement): Db =>
  new TracedKysely({
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
      const error = event.level === 'error' ? event.error : undefined;
      if (event.level === 'error') countError(error);
      onStatement(event.query.sql, event.queryDurationMillis, error);
    },
  });

async function openServer(
  connection: pg.ClientConfig,
  kind: Database['kind'],
  { onError, onStatement = () => {} }: Pick<ServerOptions, 'onError' | 'onStatement'>,
): Promise<Database> {
  const settings: pg.PoolConfig = {
    ...connection,
    types,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Without keep-alive, a connection that only listens would notice a lost network after hours.
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'redpen',
  };
  const pool = createPool(settings, kind);
  const bound = limitResultSize();
  let isClosing = false;
  pool.on('error', (error: Error & { client?: unknown }) => {
    // A server that stops right after this pool may close a connection before the pool does.
    if (isClosing) return;
    // The error refers to its connection, which does not belong in a log.
    delete error.client;
    onError(error);
  });
  pool.on('connect', (client) => {
    // The pool handles errors of idle connections only. Without this listener, a connection that breaks between two
    // statements of a transaction would end the process; with it, the next statement fails.
    client.on('error', () => {});
    prepareKnownStatements(client, bound(client));
  });
  const db = createQueryBuilder(pool, onStatement);
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
    if (kind === 'server') await refuseTransactionPooling(pool);
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
        const startedAt = performance.now();
        // pg-boss writes names and ids into some texts.
        const note = (error?: unknown) =>
          onStatement(withoutLiterals(text), performance.now() - startedAt, error);
        const result = await (pool.query(text, values) as Promise<pg.QueryResult | pg.QueryResult[]>).catch(
          (error: unknown) => {
            note(error);
            throw error;
          },
        );
        note();
        return Array.isArray(result) ? { rows: result.flatMap((each) => each.rows as unknown[]) } : result;
      },
      listen: async (channel, onNotification, onReconnect) => ({
        close: listen(channel, onNotification, onReconnect),
      }),
    },
    inTransaction: (tx) => fromKysely(tx.withoutPlugins()),
    listen: async (channel, onMessage, onReset) => listen(channel, onMessage, onReset),
    withoutTimeout: (work, signal) => runWithoutTimeout(settings, pool, work, signal),
    faults: () => [],
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      // A caller waits for a moment even if a connection is free.
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
      max: pool.options.max,
    }),
    async close() {
      isClosing = true;
      await Promise.all([...listeners].map((stop) => stop()));
      await db.destroy();
    },
  };
}

const CANCEL_EVERY_MS = 250;

const backendRow = z.object({ pid: z.number() });

async function runWithoutTimeout<T>(
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

/** Listens on a connection of its own, and reconnects after it is lost. */
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
