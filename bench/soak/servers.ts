import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from '../../src/postgres/binaries.ts';
import { freePort } from '../closed-loop.ts';

/** A server of the deployment that a fault ends and starts again. */
export interface Server {
  port: number;
  /** Ends it as a crash would, and waits for the end. */
  crash(): Promise<void>;
  /** Starts it on the same port and data, and waits until it answers. */
  start(): Promise<void>;
  /** True if it ended by itself. */
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export interface OwnPostgres extends Server {
  version: string;
  url(port: number): string;
}

const DEBIAN = '/usr/lib/postgresql';
const NOBODY = 65_534;

/** Folder with the programs of the newest PostgreSQL of the distribution, otherwise of the bundled one. */
function programsOf(folder: string): { bin: string; env: NodeJS.ProcessEnv } {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (found !== undefined) return { bin: found, env: process.env };
  const { postgres, libraryPath } = findBinaries(join(folder, 'lib'));
  return {
    bin: join(postgres, '..'),
    env: { ...process.env, ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }) },
  };
}

/** PostgreSQL refuses to run as root. */
const userOf = (folder: string): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  chownSync(folder, NOBODY, NOBODY);
  return { uid: NOBODY, gid: NOBODY };
};

/** Watches a child, so that an end that no one asked for is noticed. */
function watchEnd() {
  let child: ChildProcess | undefined;
  let isAsked = false;
  let byItself = false;
  return {
    begin(started: ChildProcess) {
      child = started;
      isAsked = false;
      started.once('exit', () => {
        if (!isAsked) byItself = true;
      });
    },
    async end(signal: NodeJS.Signals) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      isAsked = true;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    hasEnded: () => byItself,
  };
}

async function untilItWorks(what: string, attempt: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`${what} does not start.`, { cause: error });
      await sleep(100);
    }
  }
}

/** Creates a cluster in a folder and starts it on loopback, with fsync as PostgreSQL has it by default. */
export async function startOwnPostgres(folder: string): Promise<OwnPostgres> {
  mkdirSync(folder);
  const user = userOf(folder);
  const { bin, env } = programsOf(folder);
  const data = join(folder, 'data');
  const options = { ...user, env, cwd: folder };
  execFileSync(
    join(bin, 'initdb'),
    ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'],
    { ...options, stdio: 'ignore' },
  );
  const port = await freePort();
  appendFileSync(
    join(data, 'postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      `port = ${port}`,
      `unix_socket_directories = '${folder}'`,
      'max_connections = 200',
      'logging_collector = on',
      "log_filename = 'postgresql.log'",
      '',
    ].join('\n'),
  );
  const watch = watchEnd();
  const url = (at: number) => `postgres://postgres@127.0.0.1:${at}/redpen`;
  const query = async (database: string, statement: string) => {
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/${database}` });
    client.on('error', () => {});
    await client.connect();
    return await client.query(statement).finally(() => client.end());
  };
  const start = async () => {
    watch.begin(spawn(join(bin, 'postgres'), ['-D', data], { ...options, stdio: 'ignore' }));
    await untilItWorks('PostgreSQL', () => query('postgres', 'select 1'));
  };
  await start();
  await query('postgres', "create database redpen template template0 encoding 'UTF8'");
  const { rows } = await query('postgres', 'show server_version');
  return {
    port,
    url,
    version: String(rows[0].server_version).split(' ')[0]!,
    start,
    // The immediate shutdown: no checkpoint, and the next start recovers from the log.
    crash: () => watch.end('SIGQUIT'),
    hasEnded: watch.hasEnded,
    stop: () => watch.end('SIGINT'),
  };
}

/** Starts Redis on loopback, without persistence: Redpen keeps nothing in it. */
export async function startOwnRedis(folder: string): Promise<Server> {
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  const port = await freePort();
  const watch = watchEnd();
  const start = async () => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ];
    watch.begin(spawn('redis-server', args, { stdio: 'ignore' }));
    const { connect } = await import('node:net');
    await untilItWorks(
      'Redis',
      () =>
        new Promise<void>((done, fail) => {
          const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
          socket.once('data', () => {
            socket.destroy();
            done();
          });
          socket.once('error', fail);
        }),
    );
  };
  await start();
  return {
    port,
    start,
    crash: () => watch.end('SIGKILL'),
    hasEnded: watch.hasEnded,
    stop: () => watch.end('SIGTERM'),
  };
}
