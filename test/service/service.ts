import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from './compile-cache.ts';
import { fillDataFolder } from './data-folder.ts';

export interface Service {
  url: string;
  process: ChildProcess;
  output(): string;
  post(
    path: string,
    data: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** Starts the real service as a separate process. */
export function spawnService(env: Record<string, string>, main = MAIN) {
  // These variables are for the tests, not for the service, which refuses unknown settings.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DATABASE_\w+|REDIS_URL|REDPEN_TEST_.*)$/.test(name)),
  );
  return spawn(process.execPath, [main], {
    // Like `npm start`: compiling is a large part of the start.
    env: { NODE_COMPILE_CACHE, ...inherited, PORT: '0', REDPEN_WORKSPACE_RATE: '1000000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts the real service as a separate process and waits until it serves. */
export async function startService(env: Record<string, string>, main = MAIN): Promise<Service> {
  if (env.REDPEN_DATA_DIR !== undefined && !env.DATABASE_URL) await fillDataFolder(env.REDPEN_DATA_DIR);
  const child = spawnService(env, main);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
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
    url,
    process: child,
    output: () => output,
    async post(path, data, headers = {}) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ data }),
      });
      return { status: response.status, body: await response.json() };
    },
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}
