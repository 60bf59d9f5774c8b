import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../run/at-end.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { logReader } from '../run/log-watch.ts';
import { fillDataFolder } from './data-folder.ts';
import { endWithParent } from './end-with-parent.ts';

export interface Service {
  url: string;
  /** The current process, which `restart` replaces. */
  readonly process: ChildProcess;
  /** What the process has written. */
  output(): string;
  post(
    path: string,
    data: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>;
  /** Ends the process, and returns its exit code. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Kills the process if it runs, and starts another on its port, with its data and settings. */
  restart(changes?: Record<string, string>): Promise<void>;
}

interface ServiceOptions {
  /** The program; by default that of the source. */
  main?: string;
  /** Takes the step that ends the service; by default it is called at the end of the test, or of its file. */
  cleanUp?: (step: () => Promise<unknown> | unknown) => unknown;
}

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** Starts the real service as a separate process. */
export function spawnService(env: Record<string, string>, main = MAIN) {
  // These variables are for the tests, not for the service, which refuses unknown settings.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DATABASE_\w+|REDIS_URL|REDPEN_TEST_.*)$/.test(name)),
  );
  const child = spawn(process.execPath, [main], {
    // Like `npm start`: compiling is a large part of the start.
    env: { NODE_COMPILE_CACHE, ...inherited, PORT: '0', REDPEN_WORKSPACE_RATE: '1000000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithParent(child);
  child.stdout.on('data', logReader('a service'));
  return child;
}

/**
 * Starts the real service as a separate process and waits until it serves. Without REDPEN_DATA_DIR, its files are in a
 * folder that goes with it.
 */
export async function startService(
  env: Record<string, string> = {},
  { main, cleanUp = atEnd }: ServiceOptions = {},
): Promise<Service> {
  const settings = { ...env };
  if (settings.REDPEN_DATA_DIR === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'redpen-service-'));
    settings.REDPEN_DATA_DIR = folder;
    cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  }
  if (!settings.DATABASE_URL) await fillDataFolder(settings.REDPEN_DATA_DIR);
  let running = run(settings, main);
  // A killed process would leave its embedded database behind.
  cleanUp(() => running.kill(settings.DATABASE_URL ? 'SIGKILL' : 'SIGTERM'));
  const url = await running.serving;
  return {
    url,
    get process() {
      return running.child;
    },
    output: () => running.output(),
    async post(path, data, headers = {}) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ data }),
      });
      return { status: response.status, body: await response.json() };
    },
    kill: (signal) => running.kill(signal),
    async restart(changes = {}) {
      await running.kill('SIGKILL');
      running = run({ ...settings, PORT: new URL(url).port, ...changes }, main);
      await running.serving;
    },
  };
}

function run(env: Record<string, string>, main?: string) {
  const child = spawnService(env, main);
  let output = '';
  const serving = new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${output}`)));
  });
  return {
    child,
    /** Its address, once it serves. */
    serving,
    output: () => output,
    async kill(signal: NodeJS.Signals): Promise<number | null> {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}
