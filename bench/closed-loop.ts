import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type { Pool } from 'undici';
import { treeOf } from './process-memory.ts';

const root = join(import.meta.dirname, '..');
const children: ChildProcess[] = [];
const pidsByUrl = new Map<string, number>();

/** Starts a server in a separate process; returns its URL as soon as it has printed it. */
export const start = (
  script: string,
  env: Record<string, string | undefined>,
  args: string[] = [],
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, script), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    child.stdout!.on('data', (chunk: Buffer) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())?.[0];
      if (url) {
        pidsByUrl.set(url, child.pid!);
        resolve(url);
      }
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });

export function stopAll(): void {
  for (const child of children) {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
  setTimeout(() => process.exit(), 3_000).unref();
}

/** Creates a database on the server of DATABASE_URL, on which a service with a new master key can start. */
export async function newDatabase(name: string): Promise<string> {
  if (!process.env.DATABASE_URL) {
    throw new Error('Set DATABASE_URL to a PostgreSQL whose role may create databases.');
  }
  const url = new URL(process.env.DATABASE_URL);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  url.pathname = `/${name}_${Date.now()}`;
  await client.query(`create database ${url.pathname.slice(1)}`);
  await client.end();
  return url.href;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

export interface Side {
  client: Pool;
  headers: Record<string, string>;
  path: string;
  /** A function is called for each request. */
  body: string | (() => string);
  /** URL of the side's server, as `start` returned it, so that the server can be stopped while others are measured. */
  server?: string;
}

/** Runs a closed loop of `width` concurrent requests for `ms`; returns the latency of each in milliseconds. */
export async function round(
  { client, headers, path, body }: Side,
  width: number,
  ms: number,
): Promise<number[]> {
  const until = performance.now() + ms;
  const times: number[] = [];
  const loop = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const { statusCode, body: response } = await client.request({
        method: 'POST',
        path,
        headers,
        body: typeof body === 'string' ? body : body(),
      });
      const text = await response.text();
      if (statusCode >= 300) throw new Error(`${path}: ${text}`);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: width }, loop));
  return times;
}

/** Stops all servers but one in their tracks, so that their background work takes nothing from it. */
function runOnly(sides: readonly Side[], server: string | undefined): void {
  for (const url of new Set(sides.flatMap((side) => side.server ?? []))) {
    const isRunning = server === undefined || url === server;
    for (const pid of treeOf(pidsByUrl.get(url)!)) process.kill(pid, isRunning ? 'SIGCONT' : 'SIGSTOP');
  }
}

/**
 * Requests per second of each side, by round. Rounds alternate, so that a busy moment affects all sides. What a server
 * does later for the requests of a round delays its own next round only.
 */
export async function compare<Name extends string>(
  sides: Record<Name, Side>,
  { width, rounds, ms }: { width: number; rounds: number; ms: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const all = Object.values<Side>(sides);
  const run = (name: Name, duration: number) => {
    runOnly(all, sides[name].server);
    return round(sides[name], width, duration).finally(() => runOnly(all, undefined));
  };
  for (const name of names) await run(name, ms / 2);
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let index = 0; index < rounds; index++) {
    for (const name of names) {
      const startedAt = performance.now();
      const times = await run(name, ms);
      rates[name].push((times.length * 1_000) / (performance.now() - startedAt));
    }
  }
  return rates;
}

export const median = (values: number[]): number => quantile(values, 0.5);

export const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/** Posts `{ data }` and returns `result.data`. */
export async function post(
  client: Pool,
  path: string,
  data: object,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
): Promise<any> {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ data }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const response = (await body.json()) as any;
  if (statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(response)}`);
  return response.result.data;
}

/** Creates a workspace; returns its ids and the headers of its API key. */
export async function newKey(
  client: Pool,
): Promise<{ apiKeyId: string; workspaceId: string; headers: Record<string, string> }> {
  const workspace = await post(client, '/v2/workspace/create', {
    ownerEmail: `bench.${Date.now()}.${Math.random()}@example.com`,
  });
  const apiKeyId = Object.keys(workspace.apiKeyList)[0]!;
  const tokens = await post(
    client,
    '/v2/workspace/authtokens/get',
    { apiKey: apiKeyId },
    { 'x-service-workspace-id': workspace.id, 'x-service-workspace-auth-token': workspace.authToken },
  );
  return {
    apiKeyId,
    workspaceId: workspace.id,
    headers: {
      'content-type': 'application/json',
      'x-service-api-key': apiKeyId,
      'x-service-auth-token': tokens.authTokens[0].token,
    },
  };
}
