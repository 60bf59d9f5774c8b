import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { startTunnel, type Tunnel } from '../../test/fakes/tunnel.ts';
import { freePort } from '../closed-loop.ts';
import type { OwnPostgres, Server } from './servers.ts';

const root = resolve(import.meta.dirname, '../..');
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
];

/** The library that gives a process a clock of its own; undefined if the package `faketime` is not installed. */
export const fakeClock = LIBRARIES.find((path) => existsSync(path));

export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** One process of Redpen, on a port that stays the same over restarts. */
export interface Member {
  name: string;
  kind: 'api' | 'worker';
  url: string;
  pid(): number;
  /** Lines of the log of all its processes so far. */
  log: LogLine[];
  /** True if it ended although nothing ended it. */
  hasEnded(): boolean;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Asks for a collection and returns the path of the reading. */
  memoryFile: string;
}

/** The two machines of the deployment: an API process and a worker each, and their ways to the database and Redis. */
export interface Machine {
  api: Member;
  worker: Member;
  network: Tunnel[];
}

export interface Deployment {
  machines: Machine[];
  members: Member[];
  /** Sets the clock of the second worker ahead; undefined if that is not possible here. */
  setClock: ((aheadSeconds: number) => void) | undefined;
  /** The program that starts Chromium. */
  chromePath: string;
  stop(): Promise<void>;
}

interface Options {
  folder: string;
  /** Folder of stored files, on a file system of its own if that could be mounted. */
  files: string;
  postgres: OwnPostgres;
  redis: Server;
  masterKey: string;
}

/** Starts two machines with two processes each. */
export async function startDeployment(options: Options): Promise<Deployment> {
  const { folder, files, postgres, redis, masterKey } = options;
  const chromePath = await writeBrowserProgram(folder);
  const clockFile = join(folder, 'clock');
  writeFileSync(clockFile, '+0');
  const machines: Machine[] = [];
  for (const number of [1, 2]) {
    const network = [
      await startTunnel({ host: '127.0.0.1', port: postgres.port }),
      await startTunnel({ host: '127.0.0.1', port: redis.port }),
    ];
    const env = {
      DATABASE_URL: postgres.url(network[0]!.port),
      REDIS_URL: `redis://127.0.0.1:${network[1]!.port}`,
      REDPEN_MASTER_KEY: masterKey,
      REDPEN_BLOB_URL: pathToFileURL(files).href,
      REDPEN_ALLOW_HOSTS: '127.0.0.1',
      REDPEN_WORKSPACE_RATE: '1000000',
      REDPEN_LOG: 'json',
      CHROME_PATH: chromePath,
    };
    const member = (kind: Member['kind'], more: Record<string, string> = {}) =>
      newMember({ name: `${kind}-${number}`, kind, folder, env: { ...env, ...more } });
    const clock: Record<string, string> =
      number === 2 && fakeClock !== undefined
        ? {
            LD_PRELOAD: fakeClock,
            FAKETIME_TIMESTAMP_FILE: clockFile,
            FAKETIME_CACHE_DURATION: '1',
            // A clock that is set does not change how long timers take.
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
            DONT_FAKE_MONOTONIC: '1',
          }
        : {};
    machines.push({
      api: await member('api', { REDPEN_ROLES: 'api,realtime' }),
      worker: await member('worker', { REDPEN_ROLES: 'worker', ...clock }),
      network,
    });
  }
  const members = machines.flatMap(({ api, worker }) => [api, worker]);
  // The first one migrates the database.
  for (const each of members) await each.start();
  return {
    machines,
    members,
    chromePath,
    setClock: fakeClock === undefined ? undefined : (ahead) => writeFileSync(clockFile, `+${ahead}`),
    async stop() {
      await Promise.all(members.map((each) => each.end('SIGTERM')));
      for (const { network } of machines) for (const tunnel of network) await tunnel.close();
    },
  };
}

/** Writes a program that starts Chromium, which a fault can take away. */
async function writeBrowserProgram(folder: string): Promise<string> {
  const path = join(folder, 'chromium');
  const { CHROME_PATH } = process.env;
  const real = await findChromium(CHROME_PATH ? { chromePath: CHROME_PATH } : {});
  const settings = Object.entries(real.env).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(path, `#!/bin/sh\n${settings.join('')}exec '${real.path}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

interface MemberOptions {
  name: string;
  kind: Member['kind'];
  folder: string;
  env: Record<string, string>;
}

/** As `npm start` has them, and MALLOC_ARENA_MAX. */
const V8_FLAGS = ['--max-semi-space-size=16'];

async function newMember({ name, kind, folder, env }: MemberOptions): Promise<Member> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  const memoryFile = join(folder, `${name}.memory`);
  const logFile = join(folder, `${name}.log`);
  const log: LogLine[] = [];
  let child: ChildProcess | undefined;
  let isAsked = false;
  let byItself = false;
  const probe = join(import.meta.dirname, 'memory-probe.ts');
  const { DATABASE_URL: _, REDIS_URL: __, PORT: ___, ...inherited } = process.env;

  const start = async () => {
    isAsked = false;
    const started = spawn(process.execPath, [...V8_FLAGS, '--import', probe, join(root, 'src/main.ts')], {
      cwd: folder,
      env: {
        MALLOC_ARENA_MAX: '2',
        ...inherited,
        PORT: String(port),
        REDPEN_DATA_DIR: dataDir,
        MEMORY_FILE: memoryFile,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    started.once('exit', () => {
      if (!isAsked) byItself = true;
    });
    started.stderr.on('data', (chunk: Buffer) => appendFileSync(logFile, chunk));
    await new Promise<void>((done, fail) => {
      let rest = '';
      started.stdout.on('data', (chunk: Buffer) => {
        appendFileSync(logFile, chunk);
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          const read = readLine(line);
          if (!read) continue;
          log.push(read);
          if (typeof read.url === 'string') done();
        }
      });
      started.once('exit', (code) => fail(new Error(`${name} ended with ${code}; see ${logFile}`)));
    });
  };
  return {
    name,
    kind,
    url,
    log,
    memoryFile,
    pid: () => child!.pid!,
    hasEnded: () => byItself,
    start,
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      isAsked = true;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

function readLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

export const readJson = <T>(path: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
};
