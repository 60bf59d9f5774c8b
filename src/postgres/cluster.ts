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

/** The operator's settings of the embedded PostgreSQL. */
export interface EngineSettings {
  /** `shared_buffers` in MB. */
  memoryMb: number;
  /** `max_connections`. */
  connections: number;
  /** False in tests, whose data need not survive a power cut. */
  fsync?: boolean;
}

export const defaultSettings: EngineSettings = { memoryMb: 64, connections: 60 };

/** Superuser of the cluster, for its setup and `redpen psql --superuser`. */
export const SUPERUSER = 'postgres';
/** Name of the service's own role and database. */
export const ROLE = 'redpen';

export interface Cluster {
  /** PGDATA. */
  folder: string;
  /** Set on Windows, where the server listens on loopback and not on a Unix socket. */
  overTcp: { port: number; password: string } | undefined;
}

/** Disk space of a new cluster with the service's tables, in MB. */
const NEW_CLUSTER_MB = 160;

/**
 * Creates the cluster at the first start. It is created under another name and renamed when complete, so that an
 * interrupted start leaves nothing incomplete.
 */
export async function ensureCluster(
  dataDir: string,
  folder: string,
  binaries: Binaries,
  user: ChildUser,
): Promise<{ isNew: boolean }> {
  if (existsSync(folder)) takeOwnership(folder, user);
  if (hasCluster(folder)) return { isNew: false };
  if (existsSync(folder)) {
    throw new Error(
      `${folder} contains no database of PostgreSQL. Move it away, or set REDPEN_DATA_DIR to another folder.`,
    );
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMb = Math.floor((bavail * bsize) / 1_048_576);
  if (freeMb < NEW_CLUSTER_MB) {
    throw new Error(
      `There is no space for a database in ${dataDir}: ${freeMb} MB are free, ${NEW_CLUSTER_MB} MB are needed.`,
    );
  }
  // Leftover of a killed start, whose initdb may still be writing.
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
    // Collates by code point and knows letters of all scripts, independent of the system's locales.
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
 * Gives a cluster's files to the user that PostgreSQL runs as, and closes them to others: a copy made by root belongs
 * to root, and may be open to all.
 */
function takeOwnership(folder: string, { owner }: ChildUser): void {
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

/** Password of the superuser on Windows, where the server listens on loopback. */
export const readPassword = (folder: string): string => readFileSync(passwordPath(folder), 'utf8').trim();

/** Runs a program to its end. Throws its last output if it fails. */
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
 * Writes postgresql.conf and pg_hba.conf at each start. The operator's `local.conf` overrides them and is never
 * changed.
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
    // No idle helper processes, for small machines.
    io_method: 'sync',
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    max_logical_replication_workers: 0,
    max_wal_senders: 2,
    autovacuum_max_workers: 2,
    // Statements are short, so compiling them costs more than it saves.
    jit: false,
    max_wal_size: '256MB',
    min_wal_size: '48MB',
    checkpoint_timeout: '10min',
    fsync,
    // Crash recovery: one call for the whole file system rather than one for each of about 2,000 files.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    log_startup_progress_interval: '1s',

    full_page_writes: fsync,
    // The service logs errors of statements; their texts may contain user data, so the server does not.
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

/** False in containers and chroots without a world-writable `/dev/shm`, where mapped files serve instead. */
function hasSharedMemory(): boolean {
  return ((statSync('/dev/shm', { throwIfNoEntry: false })?.mode ?? 0) & 0o002) !== 0;
}

/** Port in the name of the socket. */
export const PORT = 5432;

const literal = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : `'${String(value).replaceAll("'", "''")}'`;

const SPACE_CONF = 'space.conf';
const LOCAL_CONF = 'local.conf';

/**
 * Makes transactions read-only, or writable again, from the next reload on. The file is overwritten in place with text
 * of the same length, which works on a full disk.
 */
export function writeReadOnly({ folder }: Cluster, isReadOnly: boolean, user: ChildUser): void {
  const path = join(folder, SPACE_CONF);
  const text = `default_transaction_read_only = ${(isReadOnly ? 'on' : 'off').padEnd(3)}\n`;
  if (!existsSync(path)) {
    write(path, text, user);
    return;
  }
  // Root must not follow a link that the database's user may have created.
  const file = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Replaces a file atomically, unless its content is the same. */
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
