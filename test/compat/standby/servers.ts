import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const PACKAGES = '/usr/lib/postgresql';
const READY_WITHIN_MS = 120_000;

export interface PostgresServer {
  url: string;
  /** Id of its main process while it runs. */
  pid(): number | undefined;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Pair {
  primary: PostgresServer;
  /** Follows the primary. */
  standby: PostgresServer;
  stop(): Promise<void>;
}

/** A server of the distribution's PostgreSQL and a streaming standby, on loopback. */
export async function startPair(): Promise<Pair> {
  const bin = join(PACKAGES, readdirSync(PACKAGES).toSorted((a, b) => Number(b) - Number(a))[0]!, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'redpen-standby-'));
  const user = await packageUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const primary = await newServer(bin, join(folder, 'primary'), options);
  await run(
    join(bin, 'initdb'),
    [
      '-D',
      join(folder, 'primary'),
      '-U',
      'redpen',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    options,
  );
  await primary.start();
  const standby = await newServer(bin, join(folder, 'standby'), options);
  await run(
    join(bin, 'pg_basebackup'),
    ['-D', join(folder, 'standby'), '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    options,
  );
  await standby.start();
  return {
    primary,
    standby,
    async stop() {
      await standby.kill();
      await primary.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The user of the package, since PostgreSQL refuses to run as root; undefined for other users. */
async function packageUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function newServer(bin: string, data: string, options: { cwd: string }): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgres://redpen@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  return {
    url,
    pid: () => child?.pid,
    async start() {
      child = spawn(
        join(bin, 'postgres'),
        [
          ...['-D', data, '-p', String(port)],
          ...[
            'listen_addresses=127.0.0.1',
            'unix_socket_directories=',
            'fsync=off',
            'max_connections=200',
          ].flatMap((setting) => ['-c', setting]),
        ],
        { ...options, stdio: 'ignore' },
      );
      const end = Date.now() + READY_WITHIN_MS;
      while (!(await answers(url))) {
        if (child.exitCode !== null || Date.now() > end)
          throw new Error(`The server of ${data} does not answer.`);
        await pause(50);
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      // Ends its processes without a checkpoint, as a crash would.
      child.kill('SIGQUIT');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
