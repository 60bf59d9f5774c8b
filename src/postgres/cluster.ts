import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type ChildUser, childEnvironment } from './child-user.ts';

/** What the operator chooses about the PostgreSQL that comes along. */
export interface EngineSettings {
  /** Memory that all connections share for cached pages, in MB. */
  memoryMb: number;
  /** Connections at once. */
  connections: number;
  /** False where data need not outlive a power cut: in tests. */
  fsync?: boolean;
}

export const defaultSettings: EngineSettings = { memoryMb: 64, connections: 60 };

/** The owner of the cluster, used to set it up and by `redpen psql --superuser`. */
export const SUPERUSER = 'postgres';
/** The service's own role and database. */
export const ROLE = 'redpen';

export interface Cluster {
  /** The folder of PostgreSQL's own files. */
  folder: string;
  /** Listens on a port of loopback in place of a socket in the folder: on Windows. */
  overTcp: { port: number; password: string } | undefined;
}

/** What a new cluster takes on the disk, with the tables of the service, in MB. */
const NEW_CLUSTER_MB = 160;

/**
 * Makes the cluster at the first start. It is made beside its place and moved there when it is whole, so that a
 * start that was broken off leaves nothing half.
 */
export async function ensureCluster(
  dataDir: string,
  folder: string,
  binaries: Binaries,
  user: ChildUser,
): Promise<{ isNew: boolean }> {
  if (existsSync(folder)) own(folder, user);
  if (hasCluster(folder)) return { isNew: false };
  if (existsSync(folder)) {
    throw new Error(
      `${folder} holds no database of PostgreSQL. Move it away, or set REDPEN_DATA_DIR to another folder.`,
    );
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMb = Math.floor((bavail * bsize) / 1_048_576);
  if (freeMb < NEW_CLUSTER_MB) {
    throw new Error(
      `There is no space for a database in ${dataDir}: ${freeMb} MB are free, ${NEW_CLUSTER_MB} MB are needed.`,
    );
  }
  // One of a start that was killed may still be written to.
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(`${basename(folder)}.new`))
      rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const draft = `${folder}.new-${randomBytes(4).toString('hex')}`;
  mkdirSync(draft, { mode: 0o700 });
  if (user.owner) chownSync(draft, user.owner.uid, user.owner.gid);
  const passwordFile = passwordPath(folder);
  const isWindows = process.platform === 'win32';
  if (isWindows) writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await run(binaries, user, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    ...(isWindows ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust']),
    '--encoding=UTF8',
    // Order by code point and letters of all scripts, without a locale of the machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ]);
  renameSync(draft, folder);
  return { isNew: true };
}

/**
 * Makes the files of a cluster those of the user that PostgreSQL runs as, and closes them to others: a copy made by
 * root belongs to root, and a copy may be open to all.
 */
function own(folder: string, { owner }: ChildUser): void {
  const { uid, mode } = statSync(folder);
  const self = process.getuid?.();
  if (owner && uid !== owner.uid) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
    }
    chownSync(folder, owner.uid, owner.gid);
  } else if (!owner && self !== undefined && uid !== self) {
    throw new Error(
      `${folder} belongs to user ${uid}, and Redpen runs as user ${self}. Give it the folder with: chown -R ${self} ${folder}`,
    );
  }
  if (self !== undefined && (mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

const hasCluster = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'));

const passwordPath = (folder: string): string => `${folder}.password`;

/** On Windows, where PostgreSQL listens on loopback and asks for it. */
export const readPassword = (folder: string): string => readFileSync(passwordPath(folder), 'utf8').trim();

/** Runs a program to its end. Throws what it wrote where it fails. */
async function run(binaries: Binaries, user: ChildUser, program: string, args: string[]): Promise<void> {
  const [file, ...all] = [...user.prefix, program, ...args];
  const child = spawn(file!, all, {
    ...user.spawnOptions,
    cwd: '/',
    env: childEnvironment(binaries.libraryPath),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The database could not be made: ${lastLines(output)}`);
}

export const lastLines = (output: string, count = 4): string =>
  output.trim().split('\n').slice(-count).join(' ').trim() || 'PostgreSQL said nothing.';

/**
 * Writes the settings and who may connect, anew at each start. What the operator adds in `local.conf` goes before
 * them and is left alone.
 */
export function writeSettings(
  { folder, overTcp }: Cluster,
  { memoryMb, connections, fsync = true }: EngineSettings,
  user: ChildUser,
): void {
  const values: Record<string, string | number | boolean> = {
    unix_socket_permissions: '0700',
    max_connections: connections,
    superuser_reserved_connections: 3,
    shared_buffers: `${memoryMb}MB`,
    work_mem: '8MB',
    maintenance_work_mem: `${Math.max(32, memoryMb)}MB`,
    huge_pages: false,
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: hasSharedMemory() ? 'posix' : 'mmap' }),
    // A small machine: no processes that wait for work which never comes.
    io_method: 'sync',
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    max_logical_replication_workers: 0,
    max_wal_senders: 2,
    autovacuum_max_workers: 2,
    // Statements are short, and compiling one costs more than it saves.
    jit: false,
    max_wal_size: '256MB',
    min_wal_size: '48MB',
    checkpoint_timeout: '10min',
    fsync,
    // After a crash: one call for the file system in place of one for each of some 2,000 files.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    log_startup_progress_interval: '1s',

    full_page_writes: fsync,
    // Errors of statements reach the service, which logs them; their texts may hold data of users.
    log_destination: 'stderr',
    logging_collector: false,
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: false,
    log_line_prefix: '%e ',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    datestyle: 'ISO, YMD',
    cluster_name: 'redpen',
  };
  if (!existsSync(join(folder, LOCAL_CONF))) {
    write(join(folder, LOCAL_CONF), '# Settings of your own, which go before those of Redpen.\n', user);
  }
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${literal(value)}`);
  write(
    join(folder, 'postgresql.conf'),
    `# Written by Redpen at every start. Put settings of your own into ${LOCAL_CONF} beside this file.\n${lines.join('\n')}\ninclude = '${LOCAL_CONF}'\ninclude = '${SPACE_CONF}'\n`,
    user,
  );
  write(
    join(folder, 'pg_hba.conf'),
    overTcp
      ? 'host all all 127.0.0.1/32 scram-sha-256\n'
      : // Only users who can enter the folder reach the socket.
        'local all all trust\n',
    user,
  );
}

/** Some containers and chroots have no `/dev/shm` that is open to all users; files serve as well. */
function hasSharedMemory(): boolean {
  return ((statSync('/dev/shm', { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
}

/** The port in the name of the socket. */
export const PORT = 5432;

const literal = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : `'${String(value).replaceAll("'", "''")}'`;

const SPACE_CONF = 'space.conf';
const LOCAL_CONF = 'local.conf';

/**
 * Makes all transactions read-only from the next reload on, or no longer. The text keeps its length and its place,
 * so that a disk without any space takes it.
 */
export function writeReadOnly({ folder }: Cluster, isReadOnly: boolean, user: ChildUser): void {
  const path = join(folder, SPACE_CONF);
  const text = `default_transaction_read_only = ${(isReadOnly ? 'on' : 'off').padEnd(3)}\n`;
  if (!existsSync(path)) {
    write(path, text, user);
    return;
  }
  // Root follows no link that the user of the database may have made.
  const file = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Replaces a file at once; one that says the same already is left alone. */
function write(path: string, text: string, { owner }: ChildUser): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, text);
    if (owner) fchownSync(file, owner.uid, owner.gid);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
