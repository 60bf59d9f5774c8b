import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './binaries.ts';
import { chooseChildUser } from './child-user.ts';
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
import { endLeftover, type Postmaster, readServerPid, startPostmaster } from './postmaster.ts';
import { identityOf, isAlive, isPidInUse, type ProcessIdentity } from './process-identity.ts';
import { leaveSocketFolder, reachSocketFolder } from './socket-folder.ts';

/** How a client of PostgreSQL connects; plain data. */
export interface Connection {
  /** A folder that holds a socket, or an address. */
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl: false;
}

/** The PostgreSQL that comes along, while it is kept running. */
export interface Engine {
  /** As the service's own role, on its own database. */
  connection: Connection;
  /** As the owner of the cluster, on the same database. */
  superuser: Connection;
  /** What is wrong, in sentences; empty while all is well. */
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
  /** Holds the cluster in `postgres`; it must be locked for this process. */
  dataDir: string;
  log: EngineLog;
  settings?: EngineSettings | undefined;
  /** Tells how many bytes the folder's file system has left. */
  measureSpace?: ((folder: string) => Promise<number>) | undefined;
  /** Interval of the progress lines of a long start, in ms; 2,000 by default. */
  tellEveryMs?: number | undefined;
}

const FOLDER = 'postgres';
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** A server that ran so long has recovered from what ended the one before. */
const SETTLED_MS = 60_000;
const ASK_EVERY_MS = 20;
const TELL_EVERY_MS = 2_000;
const KEEP_LINK_EVERY_MS = 30_000;
/** Tries at the first start, whose failure ends the service with what PostgreSQL said. */
const FIRST_TRIES = 4;

/**
 * Starts the PostgreSQL that comes along on a data folder, making its cluster at the first start, and keeps it
 * running: one that ends by itself is started again, with back-off. Resolves when it answers. Throws an error that
 * says what to do where it cannot be started.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { log, settings = defaultSettings, tellEveryMs = TELL_EVERY_MS } = options;
  const dataDir = realpathSync(options.dataDir);
  const folder = join(dataDir, FOLDER);
  const linksDir = join(dataDir, 'postgres-lib');
  const binaries = findBinaries(linksDir);
  const user = chooseChildUser(dataDir, binaries, [dataDir, ...(binaries.libraryPath?.split(':') ?? [])]);
  if (!existsSync(folder)) log.info({ folder }, 'making the database, which takes a few seconds');
  const { isNew } = await ensureCluster(dataDir, folder, binaries, user);
  const cluster: Cluster = { folder, overTcp: await tcpOf(folder) };
  const socketFolder = reachSocketFolder(folder);
  const logLine = (level: 'debug' | 'warn' | 'error', message: string) =>
    log[level]({ from: 'postgres' }, message);

  let stopping = false;
  let postmaster: Postmaster | undefined;
  let down: string | undefined;
  let supervising: Promise<void> | undefined;
  const abort = new AbortController();
  // Systems clear their temporary folders of what is old, a link to the socket among it.
  const keeping = setInterval(() => void tryTo(() => reachSocketFolder(folder), log), KEEP_LINK_EVERY_MS);
  keeping.unref();

  const space = await watchDiskSpace(
    folder,
    (isLow, freeBytes) => {
      writeReadOnly(cluster, isLow, user);
      postmaster?.reload();
      const free = { freeMb: toMb(freeBytes), folder };
      if (isLow) log.error(free, 'disk is nearly full: writes are refused until there is space');
      else log.info(free, 'there is space on the disk again: writes are taken');
    },
    options.measureSpace,
  );

  const noSpace = (place = '') =>
    `There is no space left: ${toMb(space.freeBytes())} MB are free${place}, writes are refused.`;

  /** Runs the server once, until it answers; undefined where it ended before. */
  const launch = async (): Promise<Postmaster | undefined> => {
    await clearLeftover(dataDir, folder, log);
    if (stopping) return undefined;
    writeReadOnly(cluster, space.isLow(), user);
    writeSettings(cluster, settings, user);
    const listening = { port: cluster.overTcp?.port ?? PORT, overTcp: cluster.overTcp !== undefined };
    const started = startPostmaster(folder, listening, binaries, user, logLine, (pid) =>
      writeRecord(dataDir, { ...identityOf(pid), port: cluster.overTcp?.port }, log),
    );
    postmaster = started;
    const superuser = connectionOf(socketFolder, cluster, SUPERUSER, 'postgres');
    return (await answers(started, superuser, log, tellEveryMs)) ? started : undefined;
  };

  /** Starts the server anew whenever it ends, until the engine is stopped. */
  const supervise = async (first: Postmaster) => {
    let current: Postmaster | undefined = first;
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping) {
      const began = performance.now();
      if (current) {
        const how = await current.ended;
        if (stopping) return;
        // Its output may hold paths, so it goes into the log alone.
        down = `The database ${how}, and is started again.`;
        log.error({ how, lastWords: current.lastWords() }, 'database ended, starting it again');
        if (performance.now() - began > SETTLED_MS) pauseMs = FIRST_PAUSE_MS;
      }
      await pause(pauseMs, undefined, { signal: abort.signal }).catch(() => {});
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      if (stopping) return;
      try {
        current = await launch();
        if (current) {
          down = undefined;
          log.info({}, 'database is back');
        } else {
          const words = postmaster?.lastWords() ?? '';
          down = 'The database does not start; the log says why.';
          log.error({ lastWords: words, nextTryMs: pauseMs }, 'database does not start');
        }
      } catch (error) {
        current = undefined;
        down = 'The database does not start; the log says why.';
        log.error({ err: error, nextTryMs: pauseMs }, 'database does not start');
      }
    }
  };

  const end = async () => {
    stopping = true;
    abort.abort();
    space.stop();
    clearInterval(keeping);
    await postmaster?.stop();
    // A start that was under way has seen the stop by now, and what it started is ended.
    await supervising;
    await postmaster?.stop();
    leaveSocketFolder(folder, socketFolder);
  };

  try {
    let first: Postmaster | undefined;
    for (let tries = 1; first === undefined; tries++) {
      first = await launch();
      if (first) break;
      if (tries === FIRST_TRIES) {
        throw new Error(`The database does not start: ${lastLines(postmaster?.lastWords() ?? '')}`);
      }
      // Processes of a server that was killed may still hold its memory for a moment.
      await pause(FIRST_PAUSE_MS * 2 ** tries);
    }
    await ensureDatabase(connectionOf(socketFolder, cluster, SUPERUSER, 'postgres'));
    if (isNew) log.info({ folder }, 'database made');
    supervising = supervise(first);
  } catch (error) {
    await end();
    if (space.isLow()) throw new Error(noSpace(` in ${dataDir}`), { cause: error });
    throw error;
  }

  return {
    connection: connectionOf(socketFolder, cluster, ROLE, ROLE),
    superuser: connectionOf(socketFolder, cluster, SUPERUSER, ROLE),
    faults: () => [...(down === undefined ? [] : [down]), ...(space.isLow() ? [noSpace()] : [])],
    async stop() {
      await end();
      rmSync(recordPath(dataDir), { force: true });
    },
  };
}

/** Does what is done again later where it fails. */
function tryTo(work: () => void, log: EngineLog): void {
  try {
    work();
  } catch (error) {
    log.warn({ err: error }, 'socket of the database cannot be reached by its link');
  }
}

const toMb = (bytes: number): number => Math.floor(bytes / 1_048_576);

/** How to connect to the server that a running service keeps on a data folder; undefined where there is none. */
export function findRunning(dataDir: string): Pick<Engine, 'connection' | 'superuser'> | undefined {
  const real = realpathSync(dataDir);
  const folder = join(real, FOLDER);
  const record = readRecord(real);
  if (record === undefined || !isAlive(record)) return undefined;
  const overTcp =
    record.port === undefined ? undefined : { port: record.port, password: readPassword(folder) };
  const to = (user: string) => connectionOf(reachSocketFolder(folder), { folder, overTcp }, user, ROLE);
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

/** Waits until the server takes connections; false where it ended before that. */
async function answers(
  server: Postmaster,
  connection: Connection,
  log: EngineLog,
  tellEveryMs: number,
): Promise<boolean> {
  const began = performance.now();
  const telling = setInterval(() => {
    const forMs = Math.round(performance.now() - began);
    log.info({ forMs, doing: server.lastWord() }, 'database is still starting');
  }, tellEveryMs);
  try {
    return await connects(server, connection);
  } finally {
    clearInterval(telling);
  }
}

async function connects(server: Postmaster, connection: Connection): Promise<boolean> {
  while (server.isRunning()) {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch {
      await Promise.race([pause(ASK_EVERY_MS), server.ended]);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return false;
}

/** The role and the database of the service. The role owns its database and may do nothing else. */
async function ensureDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    // A full disk makes sessions read-only, and what is there already needs no writing.
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

/** The server that was started last, for the next start and for commands. */
interface ServerRecord extends ProcessIdentity {
  port?: number | undefined;
}

const recordPath = (dataDir: string): string => join(dataDir, 'postgres.json');

function readRecord(dataDir: string): ServerRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordPath(dataDir), 'utf8')) as ServerRecord;
  } catch {
    return undefined;
  }
}

function writeRecord(dataDir: string, record: ServerRecord, log: EngineLog): void {
  const path = recordPath(dataDir);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    // A full disk. The next start finds the server by its folder then.
    rmSync(path, { force: true });
    log.warn({ err: error }, 'server process could not be recorded');
  }
}

/** Ends the server of an earlier run, or removes its stale pid file. */
async function clearLeftover(dataDir: string, folder: string, log: EngineLog): Promise<void> {
  const pid = readServerPid(folder);
  if (pid === undefined) return;
  const record = readRecord(dataDir);
  const isItself = (record?.pid === pid && isAlive(record)) || isServerOf(pid, folder);
  if (isItself) {
    await endLeftover(record?.pid === pid ? record : identityOf(pid), () =>
      log.warn({ serverPid: pid }, 'waiting for the database of an earlier process to end'),
    );
  } else if (isPidInUse(pid)) {
    // The number belongs to another process by now, as it often does in a container. PostgreSQL would take that one
    // for its own.
    rmSync(join(folder, 'postmaster.pid'), { force: true });
  }
}

/** True where a process works in the folder, as its server does; only Linux tells. */
function isServerOf(pid: number, folder: string): boolean {
  try {
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
