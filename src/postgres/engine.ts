import { existsSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { type ChildUser, chooseChildUser } from './child-user.ts';
import {
  type Cluster,
  defaultSettings,
  type EngineSettings,
  ensureCluster,
  lastLines,
  PORT,
  ROLE,
  readPassword,
  SUPERUSER,
  writeReadOnly,
  writeSettings,
} from './cluster.ts';
import { watchDiskSpace } from './disk-space.ts';
import { type Postmaster, startPostmaster } from './postmaster.ts';
import { identityOf, isAlive } from './process-identity.ts';
import { clearLeftoverServer, readRecord, removeRecord, writeRecord } from './server-record.ts';
import { linkSocketFolder, unlinkSocketFolder } from './socket-folder.ts';

/** Connection parameters of a client, as plain data. */
export interface Connection {
  /** Folder of a socket, or an address. */
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl: false;
}

/** The embedded PostgreSQL, which is restarted whenever it ends. */
export interface PostgresEngine {
  /** The service's own role and database. */
  connection: Connection;
  /** The superuser on the same database. */
  superuser: Connection;
  /** Sentences about current faults. */
  faults(): string[];
  stop(): Promise<void>;
}

export interface EngineLog {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

interface EngineOptions {
  /** Contains the cluster in `postgres`; it must be locked for this process. */
  dataDir: string;
  log: EngineLog;
  settings?: EngineSettings | undefined;
  /** Returns the free bytes of the folder's file system. */
  measureSpace?: ((folder: string) => Promise<number>) | undefined;
  /** Interval of progress lines during a long start. Default 2,000. */
  progressEveryMs?: number | undefined;
}

const FOLDER = 'postgres';
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 10_000;
/** Run time after which a server counts as healthy, so that the back-off starts from the beginning. */
const HEALTHY_AFTER_MS = 60_000;
const PROBE_EVERY_MS = 20;
const PROGRESS_EVERY_MS = 2_000;
const KEEP_LINK_EVERY_MS = 30_000;
/** Attempts at the first start; if all fail, the service ends with PostgreSQL's output. */
const START_ATTEMPTS = 4;

/**
 * Starts the embedded PostgreSQL on a data folder, creates its cluster at the first start, and keeps it running: a
 * server that ends unexpectedly is restarted with exponential back-off. Resolves when it accepts connections. Throws
 * an error with advice if it cannot be started.
 */
export async function startEngine(options: EngineOptions): Promise<PostgresEngine> {
  const { log, settings = defaultSettings, progressEveryMs = PROGRESS_EVERY_MS } = options;
  const dataDir = realpathSync(options.dataDir);
  const folder = join(dataDir, FOLDER);
  const linksDir = join(dataDir, 'postgres-lib');
  const binaries = findBinaries(linksDir);
  const user = chooseChildUser(dataDir, binaries, [dataDir, ...(binaries.libraryPath?.split(':') ?? [])]);
  if (!existsSync(folder)) log.info({ folder }, 'creating the database, which takes a few seconds');
  const { isNew } = await ensureCluster(dataDir, folder, binaries, user);
  const cluster: Cluster = { folder, overTcp: await tcpOf(folder) };
  const socketFolder = linkSocketFolder(folder);
  const supervisor = new Supervisor({
    dataDir,
    cluster,
    socketFolder,
    binaries,
    user,
    settings,
    log,
    progressEveryMs,
  });
  // Systems delete old files in the temporary folder, and with them a link to the socket.
  const keepingLink = setInterval(() => void tryTo(() => linkSocketFolder(folder), log), KEEP_LINK_EVERY_MS);
  keepingLink.unref();
  const space = await watchDiskSpace(
    folder,
    (isLow, freeBytes) => supervisor.setReadOnly(isLow, freeBytes),
    options.measureSpace,
  );
  const noSpace = (place = '') =>
    `There is no space left: ${toMb(space.freeBytes())} MB are free${place}, writes are refused.`;
  const end = async () => {
    space.stop();
    clearInterval(keepingLink);
    await supervisor.stop();
    unlinkSocketFolder(folder, socketFolder);
  };

  try {
    const first = await supervisor.startFirst();
    await ensureDatabase(connectionOf(socketFolder, cluster, SUPERUSER, 'postgres'));
    if (isNew) log.info({ folder }, 'database created');
    supervisor.supervise(first);
  } catch (error) {
    await end();
    if (space.isLow()) throw new Error(noSpace(` in ${dataDir}`), { cause: error });
    throw error;
  }

  return {
    connection: connectionOf(socketFolder, cluster, ROLE, ROLE),
    superuser: connectionOf(socketFolder, cluster, SUPERUSER, ROLE),
    faults: () => [...supervisor.faults(), ...(space.isLow() ? [noSpace()] : [])],
    async stop() {
      await end();
      removeRecord(dataDir);
    },
  };
}

interface SupervisorOptions {
  dataDir: string;
  cluster: Cluster;
  socketFolder: string;
  binaries: Binaries;
  user: ChildUser;
  settings: EngineSettings;
  log: EngineLog;
  progressEveryMs: number;
}

/** Runs the server process, and restarts it whenever it ends, until it is stopped. */
class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #abort = new AbortController();
  #isReadOnly = false;
  #isStopping = false;
  /** The latest process, which may still be starting. */
  #postmaster: Postmaster | undefined;
  #fault: string | undefined;
  #supervising: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  faults(): string[] {
    return this.#fault === undefined ? [] : [this.#fault];
  }

  setReadOnly(isReadOnly: boolean, freeBytes: number): void {
    const { cluster, user, log } = this.#options;
    writeReadOnly(cluster, isReadOnly, user);
    this.#isReadOnly = isReadOnly;
    this.#postmaster?.reload();
    const free = { freeMb: toMb(freeBytes), folder: cluster.folder };
    if (isReadOnly) log.error(free, 'disk is nearly full: writes are refused until there is space');
    else log.info(free, 'there is space on the disk again: writes are accepted');
  }

  /** Starts the server, with a few attempts; throws with its output if all of them fail. */
  async startFirst(): Promise<Postmaster> {
    for (let attempts = 1; ; attempts++) {
      const started = await this.#launch();
      if (started) return started;
      if (attempts === START_ATTEMPTS) {
        throw new Error(`The database does not start: ${lastLines(this.#postmaster?.recentOutput() ?? '')}`);
      }
      // Processes of a server that was killed may still hold its shared memory for a moment.
      await pause(MIN_BACKOFF_MS * 2 ** attempts);
    }
  }

  supervise(first: Postmaster): void {
    this.#supervising = this.#keepRunning(first);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#abort.abort();
    await this.#postmaster?.stop();
    // A restart in progress has now noticed the stop; the process that it may have started is stopped too.
    await this.#supervising;
    await this.#postmaster?.stop();
  }

  /** Runs the server once, until it accepts connections; undefined if it ended before. */
  async #launch(): Promise<Postmaster | undefined> {
    const { dataDir, cluster, socketFolder, binaries, user, settings, log, progressEveryMs } = this.#options;
    const { folder, overTcp } = cluster;
    await clearLeftoverServer(dataDir, folder, log);
    if (this.#isStopping) return undefined;
    writeReadOnly(cluster, this.#isReadOnly, user);
    writeSettings(cluster, settings, user);
    const listening = { port: overTcp?.port ?? PORT, overTcp: overTcp !== undefined };
    const logLine = (level: 'debug' | 'warn' | 'error', message: string) =>
      log[level]({ from: 'postgres' }, message);
    const started = startPostmaster(folder, listening, binaries, user, logLine, (pid) =>
      writeRecord(dataDir, { ...identityOf(pid), port: overTcp?.port }, log),
    );
    this.#postmaster = started;
    const superuser = connectionOf(socketFolder, cluster, SUPERUSER, 'postgres');
    return (await becomesReady(started, superuser, log, progressEveryMs)) ? started : undefined;
  }

  async #keepRunning(first: Postmaster): Promise<void> {
    const { log } = this.#options;
    let current: Postmaster | undefined = first;
    let pauseMs = MIN_BACKOFF_MS;
    while (!this.#isStopping) {
      const began = performance.now();
      if (current) {
        const how = await current.ended;
        if (this.#isStopping) return;
        // Its output may contain paths, so it goes only into the log.
        this.#fault = `The database ${how}, and is started again.`;
        log.error({ how, lastWords: current.recentOutput() }, 'database ended, starting it again');
        if (performance.now() - began > HEALTHY_AFTER_MS) pauseMs = MIN_BACKOFF_MS;
      }
      await pause(pauseMs, undefined, { signal: this.#abort.signal }).catch(() => {});
      pauseMs = Math.min(MAX_BACKOFF_MS, pauseMs * 2);
      if (this.#isStopping) return;
      try {
        current = await this.#launch();
        if (current) {
          this.#fault = undefined;
          log.info({}, 'database is running again');
        } else {
          const words = this.#postmaster?.recentOutput() ?? '';
          this.#fault = 'The database does not start; the log says why.';
          log.error({ lastWords: words, nextTryMs: pauseMs }, 'database does not start');
        }
      } catch (error) {
        current = undefined;
        this.#fault = 'The database does not start; the log says why.';
        log.error({ err: error, nextTryMs: pauseMs }, 'database does not start');
      }
    }
  }
}

/** Logs an error of periodic work, which is repeated later. */
function tryTo(work: () => void, log: EngineLog): void {
  try {
    work();
  } catch (error) {
    log.warn({ err: error }, 'link to the socket of the database could not be restored');
  }
}

const toMb = (bytes: number): number => Math.floor(bytes / 1_048_576);

/** Connection parameters of the server that a running service keeps on a data folder; undefined if none is running. */
export function findRunning(dataDir: string): Pick<PostgresEngine, 'connection' | 'superuser'> | undefined {
  const real = realpathSync(dataDir);
  const folder = join(real, FOLDER);
  const record = readRecord(real);
  if (record === undefined || !isAlive(record)) return undefined;
  const overTcp =
    record.port === undefined ? undefined : { port: record.port, password: readPassword(folder) };
  const to = (user: string) => connectionOf(linkSocketFolder(folder), { folder, overTcp }, user, ROLE);
  return { connection: to(ROLE), superuser: to(SUPERUSER) };
}

async function tcpOf(folder: string): Promise<Cluster['overTcp']> {
  if (process.platform !== 'win32') return undefined;
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return { port, password: readPassword(folder) };
}

const connectionOf = (
  socketFolder: string,
  { overTcp }: Cluster,
  user: string,
  database: string,
): Connection => ({
  host: overTcp ? '127.0.0.1' : socketFolder,
  port: overTcp?.port ?? PORT,
  user,
  ...(overTcp && { password: overTcp.password }),
  database,
  ssl: false,
});

/** Waits until the server accepts connections; false if it ended before. */
async function becomesReady(
  server: Postmaster,
  connection: Connection,
  log: EngineLog,
  progressEveryMs: number,
): Promise<boolean> {
  const began = performance.now();
  const progress = setInterval(() => {
    const forMs = Math.round(performance.now() - began);
    log.info({ forMs, doing: server.latestLine() }, 'database is still starting');
  }, progressEveryMs);
  try {
    return await waitForConnection(server, connection);
  } finally {
    clearInterval(progress);
  }
}

async function waitForConnection(server: Postmaster, connection: Connection): Promise<boolean> {
  while (server.isRunning()) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      await Promise.race([pause(PROBE_EVERY_MS), server.ended]);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
}

/** Creates the service's role and its database. The role owns the database and has no other rights. */
async function ensureDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    // On a full disk, sessions are read-only, so nothing is written that exists already.
    const role = await client.query('select 1 from pg_roles where rolname = $1', [ROLE]);
    if (role.rowCount === 0) {
      const password = connection.password === undefined ? '' : ` password '${connection.password}'`;
      await client.query(`create role ${ROLE} login${password}`);
    }
    const database = await client.query('select 1 from pg_database where datname = $1', [ROLE]);
    if (database.rowCount === 0) await client.query(`create database ${ROLE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}
