import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { fromKysely, type Db as JobDatabase } from 'pg-boss';
import { z } from 'zod';
import type { EngineSettings } from '../../postgres/cluster.ts';
import { DataDirInUse, lockDataDir } from '../../postgres/data-dir.ts';
import { type EngineLog, findRunning, startEngine } from '../../postgres/engine.ts';
import { closeToOthers, DATA_FOLDER } from '../../postgres/private-folder.ts';
import type { PoolState } from '../database-metrics.ts';
import { plugins } from '../driver-settings.ts';
import { rowOf } from '../sql-fragments.ts';
import { type OnStatement, withoutLiterals } from '../statement-watch.ts';
import type { Db, Tables, Tx } from '../tables.ts';
import { listenOn } from './listen.ts';
import { connectionSettings, openPool, PARAMETERS } from './pool.ts';
import { BY_SESSION, connectQuery, probePooling } from './pooling.ts';
import { openReplicas, type Replicas } from './replicas.ts';
import { type Waiting, waitForServer } from './wait-for-server.ts';
import { runWithoutTimeout } from './without-timeout.ts';

export interface Database {
  db: Db;
  /** `embedded`: the bundled PostgreSQL, on a data folder that one service has locked. */
  kind: 'embedded' | 'server';
  /** Settings with which another thread or program connects, to the server itself; plain data. */
  connection: pg.ClientConfig;
  /** The time for which connections of requests are lent: `session` also if there is no pooler. */
  pooling: 'session' | 'transaction';
  /** Sentences for the operator about a pooler that should be configured otherwise. */
  advice: readonly string[];
  /** Servers for reads; undefined if there are none. */
  replicas: Replicas | undefined;
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
  /** Address of the server itself, if `databaseUrl` is that of a pooler that lends connections for transactions. */
  directUrl?: string | undefined;
  /** Addresses of read replicas. */
  replicaUrls?: readonly string[] | undefined;
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

interface OpenOptions extends Pick<ServerOptions, 'onError' | 'onStatement'> {
  /** The server itself, if requests go over a pooler. */
  direct?: pg.ClientConfig | undefined;
  replicas?: readonly string[] | undefined;
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

async function openNamedServer({
  databaseUrl,
  directUrl,
  replicaUrls,
  waiting,
  ...options
}: ServerOptions): Promise<Database> {
  const connect = () =>
    openServer({ connectionString: databaseUrl }, 'server', {
      ...options,
      ...(directUrl !== undefined && { direct: { connectionString: directUrl } }),
      replicas: replicaUrls,
    });
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

async function openServer(
  connection: pg.ClientConfig,
  kind: Database['kind'],
  { direct = connection, replicas = [], onError, onStatement = () => {} }: OpenOptions,
): Promise<Database> {
  const settings = connectionSettings(direct);
  const hasDirect = direct !== connection;
  // The operator says that there is a pooler: a busy one may look as if it kept connections.
  const pooling =
    kind === 'server'
      ? await probePooling(connectionSettings(connection), { mayLose: hasDirect })
      : BY_SESSION;
  if (pooling.isByTransaction && !hasDirect) throw new Error(NEEDS_DIRECT);
  const { pool, db, close } = openPool(connection, { kind, pooling, onError, onStatement });
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
  const advice: string[] = [];
  try {
    if (hasDirect) await requireSameServer(db, settings);
    if (pooling.isByTransaction) advice.push(...(await adviceForPooler(db)));
    if (kind === 'embedded') await sql`select 1`.execute(db);
  } catch (error) {
    await close();
    throw error;
  }
  const readers = openReplicas({ primary: db, urls: replicas, onStatement });
  return {
    db,
    kind,
    connection: direct,
    pooling: pooling.isByTransaction ? 'transaction' : 'session',
    advice,
    replicas: readers,
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
      await Promise.all([...listeners].map((stop) => stop()));
      // A replica that hangs holds up no end.
      const replicasClosed = Promise.race([readers?.close(), sleep(CLOSE_MS, undefined, { ref: false })]);
      await Promise.all([close(), replicasClosed]);
    },
  };
}

/** Longest wait for the connections to replicas to end. */
const CLOSE_MS = 2_000;

const NEEDS_DIRECT =
  'a pooler there lends connections for single transactions, and the service needs some for as long as it is connected. Set DATABASE_DIRECT_URL to the server itself, or let PgBouncer pool by session (pool_mode = session)';

/** A start of the server, which is different for each server. */
const serverRow = z.object({ startedAt: z.string(), database: z.string() });
const identify = sql`select cast(extract(epoch from pg_postmaster_start_time()) as text) as started_at,
  cast(oid as text) || ' ' || datname as database from pg_database where datname = current_database()`;

/** Throws unless both addresses lead to the same database: what one process writes, another must be notified of. */
async function requireSameServer(db: Db, direct: pg.PoolConfig): Promise<void> {
  const pool = new pg.Pool({ ...direct, max: 1 });
  pool.on('error', () => {});
  const own = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: plugins() });
  try {
    const wanted = await rowOf(db, serverRow, identify);
    const found = await rowOf(own, serverRow, identify).catch((error: Error) => {
      throw new Error(`DATABASE_DIRECT_URL cannot be used: ${error.message}`, { cause: error });
    });
    if (wanted.startedAt === found.startedAt && wanted.database === found.database) return;
  } finally {
    await own.destroy();
  }
  throw new Error('DATABASE_DIRECT_URL leads to another database. Both must name the same one');
}

const parametersRow = z.object({ statementTimeout: z.string(), jit: z.string() });

/** A sentence if statements outside of transactions have no time limit. */
async function adviceForPooler(db: Db): Promise<string[]> {
  const { statementTimeout, jit } = await rowOf(
    db,
    parametersRow,
    sql`select current_setting('statement_timeout') as statement_timeout, current_setting('jit') as jit`,
  );
  if (statementTimeout !== '0' && jit === 'off') return [];
  return [
    `The pooler of DATABASE_URL does not limit the time of statements outside of transactions: add ${connectQuery(PARAMETERS)} to the line of the database in pgbouncer.ini.`,
  ];
}
