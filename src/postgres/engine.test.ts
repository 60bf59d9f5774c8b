import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { byRoot, isRoot } from '../../test/run/by-root.ts';
import { signalProcess } from '../../test/service/browser-processes.ts';
import { defaultSettings } from './cluster.ts';
import { type Connection, findRunning, type PostgresEngine, startEngine } from './engine.ts';
import { readServerPid } from './postmaster.ts';
import { isPidInUse, startTimeOf } from './process-identity.ts';

const keeper = resolve(import.meta.dirname, '../../test/run/keep-engine.ts');
const settings = { ...defaultSettings, fsync: false };
/** Generous limits for a busy machine. */
const patiently = { timeout: 300_000, interval: 20 };

let template: string;
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'redpen-engine-'));
  const engine = await startEngine({ dataDir: template, log: silent(), settings });
  await engine.stop();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

const running = new Set<PostgresEngine>();
afterEach(async () => {
  await Promise.all([...running].map((engine) => engine.stop()));
  running.clear();
  vi.unstubAllEnvs();
});

const silent = () => logOf([]);
interface Line {
  level: string;
  message: string;
}
const logOf = (lines: Line[]) => {
  const at = (level: string) => (_data: object, message: string) => void lines.push({ level, message });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
};

test('a slow start is logged with what the database is doing', async () => {
  const dataDir = newDataDir();
  writeFileSync(join(dataDir, 'postgres/local.conf'), 'pre_auth_delay = 1\n');
  const doing: unknown[] = [];
  const log = {
    ...silent(),
    info(data: object, message: string) {
      if (message === 'database is still starting') doing.push((data as { doing: string }).doing);
    },
  };
  running.add(await startEngine({ dataDir, log, settings, progressEveryMs: 50 }));
  expect(doing.at(-1)).toBe('database system is ready to accept connections');
});

test.runIf(process.platform === 'linux')(
  'crash recovery syncs the whole file system by one call (Linux only)',
  async () => {
    const engine = await startEngine({ dataDir: newDataDir(), log: silent(), settings });
    running.add(engine);
    const client = new pg.Client(engine.superuser);
    await client.connect();
    const { rows } = await client.query('show recovery_init_sync_method');
    await client.end();
    expect(rows).toEqual([{ recovery_init_sync_method: 'syncfs' }]);
  },
);

/** Creates a data folder with a copy of a stopped cluster; a cluster works at any path. */
function newDataDir(name = ''): string {
  const parent = mkdtempSync(join(tmpdir(), 'redpen-engine-'));
  chmodSync(parent, 0o755);
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const dataDir = join(parent, name || 'data');
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  cpSync(join(template, 'postgres'), join(dataDir, 'postgres'), { recursive: true });
  return dataDir;
}

async function start(dataDir: string, lines: Line[] = [], more: object = {}): Promise<PostgresEngine> {
  const engine = await startEngine({ dataDir, log: logOf(lines), settings, ...more });
  running.add(engine);
  return engine;
}

async function query(connection: Connection, text: string): Promise<unknown[][]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows as unknown[][];
  } finally {
    await client.end();
  }
}

/** Keeps an engine in a separate process, and collects the log of that process. */
async function startKeeper(
  dataDir: string,
): Promise<{ child: ChildProcess; lines: (Line & { ready?: true })[] }> {
  const child = spawn(process.execPath, [keeper, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: (Line & { ready?: true })[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  await vi.waitFor(() => expect(lines.some((line) => line.ready)).toBe(true), patiently);
  return { child, lines };
}

const serverOf = (dataDir: string): number => readServerPid(join(realpathSync(dataDir), 'postgres'))!;

/** The processes that run in the folder of the cluster: the server and its connections. */
const processesOf = (dataDir: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === join(realpathSync(dataDir), 'postgres');
      } catch {
        return false;
      }
    })
    .map(Number);

test('the first start creates the database of the service, whose role has no further privileges', async () => {
  const engine = await start(newDataDir());
  const [row] = await query(
    engine.connection,
    `select current_user, current_database(), rolsuper, rolcreaterole, rolcreatedb, rolreplication,
      current_setting('server_encoding'), current_setting('data_checksums'), 'Zebra' < 'apple', lower('ÄÉΣ'),
      current_setting('listen_addresses'), current_setting('TimeZone')
    from pg_roles where rolname = current_user`,
  );
  expect(row).toEqual(['redpen', 'redpen', false, false, false, false, 'UTF8', 'on', true, 'äéσ', '', 'UTC']);
  expect(await query(engine.superuser, 'select rolsuper from pg_roles where rolname = current_user')).toEqual(
    [[true]],
  );
});

test('the cluster and its socket are closed to other users', async () => {
  const dataDir = newDataDir();
  chmodSync(join(dataDir, 'postgres'), 0o755);
  const engine = await start(dataDir);
  // A link to it, if its path is too long for a socket.
  expect(realpathSync(engine.connection.host)).toBe(join(realpathSync(dataDir), 'postgres'));
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres', '.s.PGSQL.5432')).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json']);
});

test('committed data survives a stop and a start', async () => {
  const dataDir = newDataDir();
  const engine = await start(dataDir);
  await query(engine.connection, 'create table kept as select 7 as number');
  const pid = serverOf(dataDir);
  await engine.stop();
  expect(isPidInUse(pid)).toBe(false);
  expect(await query((await start(dataDir)).connection, 'select number from kept')).toEqual([[7]]);
});

test.each([
  ['with spaces and an apostrophe', "a folder's own name/and more"],
  ['too long for a socket address', `${'long-'.repeat(18)}/${'x'.repeat(30)}`],
])('a path %s works', async (_, name) => {
  const dataDir = newDataDir(name);
  const engine = await start(dataDir);
  expect(await query(engine.connection, 'select 1')).toEqual([[1]]);
  expect(await query(findRunning(dataDir)!.connection, 'select 2')).toEqual([[2]]);
});

test('the environment of the operator does not affect the server', async () => {
  vi.stubEnv('LC_ALL', 'xx_XX.UTF-8');
  vi.stubEnv('PGPORT', '1');
  vi.stubEnv('PGDATA', '/nowhere');
  vi.stubEnv('PGSSLMODE', 'require');
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const parent = mkdtempSync(join(tmpdir(), 'redpen-engine-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const engine = await start(parent);
  expect(await query(engine.connection, `select current_setting('TimeZone'), 'z' < 'é'`)).toEqual([
    ['UTC', true],
  ]);
});

test('settings of the operator in local.conf take precedence over the defaults', async () => {
  const dataDir = newDataDir();
  await (await start(dataDir)).stop();
  const localConf = join(dataDir, 'postgres', 'local.conf');
  expect(readFileSync(localConf, 'utf8')).toBe('# Settings of your own, which go before those of Redpen.\n');
  writeFileSync(localConf, "work_mem = '12MB'\n", { mode: 0o644 });
  const engine = await start(dataDir, [], { settings: { ...settings, memoryMb: 32, connections: 40 } });
  expect(
    await query(
      engine.connection,
      `select current_setting('work_mem'), current_setting('shared_buffers'), current_setting('max_connections')`,
    ),
  ).toEqual([['12MB', '32MB', '40']]);
});

test('a server that is killed is restarted, and is a fault until then', async () => {
  const dataDir = newDataDir();
  const lines: Line[] = [];
  const engine = await start(dataDir, lines);
  await query(engine.connection, 'create table kept as select 7 as number');
  const pid = serverOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(
    () => expect(engine.faults()[0]).toBe('The database was killed, and is started again.'),
    patiently,
  );
  await vi.waitFor(() => expect(engine.faults()).toEqual([]), patiently);
  expect(await query(engine.connection, 'select number from kept')).toEqual([[7]]);
  expect(serverOf(dataDir)).not.toBe(pid);
  expect(lines).toContainEqual({ level: 'error', message: 'database ended, starting it again' });
  expect(lines).toContainEqual({ level: 'info', message: 'database is running again' });
});

test('killing one connection ends the others only for the time of a recovery', async () => {
  const engine = await start(newDataDir());
  const client = new pg.Client(engine.connection);
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await lost;
  await vi.waitFor(() => expect(query(engine.connection, 'select 1')).resolves.toEqual([[1]]), patiently);
});

test('killing the service leaves no server behind, and committed data survives', async () => {
  const dataDir = newDataDir();
  const { child } = await startKeeper(dataDir);
  await query(findRunning(dataDir)!.connection, 'create table kept as select 7 as number');
  const pid = serverOf(dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const engine = await start(dataDir);
  expect(isPidInUse(pid)).toBe(false);
  expect(await query(engine.connection, 'select number from kept')).toEqual([[7]]);
  await engine.stop();
  await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), patiently);
});

test('a server whose service and watcher are both killed is ended by the next start', async () => {
  const dataDir = newDataDir();
  const { child } = await startKeeper(dataDir);
  const pid = serverOf(dataDir);
  const watcher = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  // The shell, and its fork that waits for the service.
  const forks = readFileSync(`/proc/${watcher}/task/${watcher}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .filter((candidate) => candidate !== pid);
  for (const killed of [child.pid!, watcher, ...forks]) signalProcess(killed, 'SIGKILL');
  await once(child, 'exit');
  expect(isPidInUse(pid)).toBe(true);
  const lines: Line[] = [];
  const engine = await start(dataDir, lines);
  expect(lines).toContainEqual({
    level: 'warn',
    message: 'waiting for the database of an earlier process to end',
  });
  expect(['dead', undefined]).toContain(startTimeOf(pid));
  expect(await query(engine.connection, 'select 1')).toEqual([[1]]);
});

test('a server that lost only its watcher is restarted', async () => {
  const dataDir = newDataDir();
  const engine = await start(dataDir);
  const pid = serverOf(dataDir);
  process.kill(Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]), 'SIGKILL');
  await vi.waitFor(() => expect(serverOf(dataDir) ?? pid).not.toBe(pid), patiently);
  await vi.waitFor(() => expect(engine.faults()).toEqual([]), patiently);
  expect(await query(engine.connection, 'select 1')).toEqual([[1]]);
});

test('a stale pid file with the id of another process does not prevent a start', async () => {
  const dataDir = newDataDir();
  const { child } = await startKeeper(dataDir);
  const pid = serverOf(dataDir);
  process.kill(child.pid!, 'SIGKILL');
  await vi.waitFor(() => expect(isPidInUse(pid)).toBe(false), patiently);
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const stale = `${process.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n.\n\n`;
  writeFileSync(pidFile, stale, { mode: 0o600 });
  chmodSync(pidFile, 0o644);
  const engine = await start(dataDir);
  expect(await query(engine.connection, 'select 1')).toEqual([[1]]);
  expect(serverOf(dataDir)).not.toBe(process.pid);
});

test('a stop shuts the server down cleanly while clients are at work', async () => {
  const dataDir = newDataDir();
  const { child, lines } = await startKeeper(dataDir);
  const client = new pg.Client(findRunning(dataDir)!.connection);
  client.on('error', () => {});
  await client.connect();
  const slow = client.query('select pg_sleep(3600)').catch((error: Error & { code?: string }) => error.code);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(await slow).toBe('57P01');
  expect(lines.map(({ message }) => message)).toContain('database system is shut down');
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(findRunning(dataDir)).toBeUndefined();
});

test('on a nearly full disk writes are refused and reads go on, until there is space', async () => {
  const dataDir = newDataDir();
  let free = 10_000 * 1_048_576;
  const lines: Line[] = [];
  const engine = await start(dataDir, lines, { measureSpace: async () => free });
  const client = new pg.Client(engine.connection);
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  await client.query('create table kept as select 7 as number');
  free = 20 * 1_048_576;
  await vi.waitFor(() => expect(engine.faults()).toHaveLength(1), patiently);
  expect(engine.faults()[0]).toMatch(/^There is no space left: 20 MB are free, writes are refused\.$/);
  await vi.waitFor(
    () => expect(client.query('insert into kept values (8)')).rejects.toMatchObject({ code: '25006' }),
    patiently,
  );
  expect((await client.query('select number from kept')).rows).toContainEqual({ number: 7 });
  // A server that is restarted meanwhile refuses writes, too.
  process.kill(serverOf(dataDir), 'SIGKILL');
  client.on('error', () => {});
  await vi.waitFor(
    () => expect(lines.map(({ message }) => message)).toContain('database is running again'),
    patiently,
  );
  await expect(query(engine.connection, 'insert into kept values (9)')).rejects.toMatchObject({
    code: '25006',
  });
  free = 60 * 1_048_576;
  await expect(query(engine.connection, 'insert into kept values (9)')).rejects.toMatchObject({
    code: '25006',
  });
  free = 10_000 * 1_048_576;
  await vi.waitFor(() => expect(engine.faults()).toEqual([]), patiently);
  await vi.waitFor(() => query(engine.connection, 'insert into kept values (10)'), patiently);
});

test('a folder that is not a cluster is left alone', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'redpen-engine-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  mkdirSync(join(parent, 'postgres'), { mode: 0o700 });
  writeFileSync(join(parent, 'postgres', 'mine.txt'), 'mine');
  await expect(start(parent)).rejects.toThrow('contains no database of PostgreSQL');
  expect(readdirSync(join(parent, 'postgres'))).toEqual(['mine.txt']);
});

test('a server that cannot start reports the reason', async () => {
  const dataDir = newDataDir();
  const control = join(dataDir, 'postgres', 'global', 'pg_control');
  writeFileSync(control, readFileSync(control).fill(0, 0, 64));
  await expect(start(dataDir)).rejects.toThrow(/The database does not start: .*/);
});

test.runIf(isRoot)(
  byRoot('root runs the server as another user, in open and in closed folders'),
  async () => {
    for (const [mode, user] of [
      [0o755, 65534],
      [0o700, 65534],
    ] as const) {
      const dataDir = newDataDir();
      chmodSync(resolve(dataDir, '..'), mode);
      chmodSync(dataDir, mode);
      const engine = await start(dataDir);
      expect(await query(engine.connection, 'select 1')).toEqual([[1]]);
      const status = readFileSync(`/proc/${serverOf(dataDir)}/status`, 'utf8');
      expect(/^Uid:\s+(\d+)\s+(\d+)/m.exec(status)!.slice(1).map(Number)).toEqual([user, user]);
      expect(/^Groups:[ \t]*(.*)$/m.exec(status)![1]).toBe('');
      // The capability that bypasses read permissions, only where the folder requires it.
      expect(/^CapEff:\s+([0-9a-f]+)/m.exec(status)![1]).toBe(
        mode === 0o755 ? '0000000000000000' : '0000000000000002',
      );
      await engine.stop();
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(user);
    }
  },
);
