import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newKey, post } from './closed-loop.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';
import { memoryOfTree, processorSecondsOfTree } from './process-memory.ts';

// Measures what `npm start` costs a machine: the first start of a clone, with the packages in the cache of npm, and
// further ones; the size of the installed packages; memory of all processes after the start, after some idle minutes,
// and again after a run of 100 pages; and the processor time of an idle service. A clone contains what is committed.
const root = resolve(import.meta.dirname, '..');
const checkouts: Record<string, string> = {
  ...(process.env.BEFORE && { before: resolve(process.env.BEFORE) }),
  now: root,
};
const IDLE_MS = Number(process.env.IDLE_MS ?? 600_000);
const STARTS = Number(process.env.STARTS ?? 3);
const PAGES = Number(process.env.PAGES ?? 100);
/** The agents of the run: each page is opened in a browser by the second one. */
const SERVICES = (process.env.SERVICES ?? 'broken-links,accessibility-checker').split(',');
/** The check of the browser after a start has ended by then. */
const SETTLED_MS = 20_000;

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  folders.push(folder);
  return folder;
};

interface Running {
  child: ChildProcess;
  url: string;
  seconds: number;
}

async function start(folder: string, dataDir: string): Promise<Running> {
  const { DATABASE_URL: _, NODE_COMPILE_CACHE: __, ...inherited } = process.env;
  const startedAt = performance.now();
  // The program behind `npm start`; npm itself adds its own start.
  const child = spawn(process.execPath, ['bootstrap.mjs', 'start'], {
    cwd: folder,
    env: { ...inherited, PORT: '0', REDPEN_DATA_DIR: dataDir, REDPEN_ALLOW_HOSTS: '127.0.0.0/8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /"url":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(chunk.toString())?.[1];
      if (found) done(found);
    });
    child.once('exit', (code) => fail(new Error(`${folder} ended with ${code}`)));
  });
  if (!(await fetch(`${url}/health`)).ok) throw new Error(`${folder} is not healthy`);
  return { child, url, seconds: (performance.now() - startedAt) / 1_000 };
}

async function stop({ child }: Running): Promise<void> {
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Idles, and returns the memory in MB at the end and the share of a core in percent. */
async function idle({ child }: Running): Promise<{ megabytes: number; percent: number }> {
  const before = processorSecondsOfTree(child.pid!);
  const startedAt = performance.now();
  await sleep(IDLE_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = [...processorSecondsOfTree(child.pid!)].map(([pid, all]) => all - (before.get(pid) ?? 0));
  return {
    megabytes: memoryOfTree(child.pid!) / 1e6,
    percent: (100 * used.reduce((sum, one) => sum + one, 0)) / seconds,
  };
}

async function review(url: string, site: string): Promise<void> {
  const client = new Pool(url, { connections: 2 });
  const { headers } = await newKey(client);
  for (const serviceId of SERVICES) {
    const execution = { executionStrategy: 'service', serviceId };
    const { agentId } = await post(client, '/v2/agents/create', { name: serviceId, execution }, headers);
    const whole = { agentId, url: `${site}/page/0`, crossPageExecute: true, maxUrlsToProcess: PAGES };
    const { executionId } = await post(client, '/v2/agents/execution/run', whole, headers);
    for (;;) {
      const { execution: state } = await post(client, '/v2/agents/execution/get', { executionId }, headers);
      if (state.status === 'error') throw new Error(JSON.stringify(state.error));
      if (state.status !== 'running') break;
      await sleep(500);
    }
  }
  await client.close();
}

async function measure(checkout: string, site: string): Promise<Record<string, number>> {
  const measured: Record<string, number> = {};
  let folder = checkout;
  let dataDir = newFolder();
  if (process.env.INSTALL !== '0') {
    folder = join(newFolder(), 'redpen');
    execFileSync('git', ['clone', '--quiet', checkout, folder]);
    const first = await start(folder, dataDir);
    measured['first start of a clone, s'] = first.seconds;
    await stop(first);
  }
  const kilobytes = execFileSync('du', ['-sk', '--exclude=.cache', join(folder, 'node_modules')]).toString();
  measured['packages on disk, MB'] = (Number.parseInt(kilobytes, 10) * 1024) / 1e6;
  const starts: number[] = [];
  for (let turn = 0; turn < STARTS; turn++) {
    const running = await start(folder, dataDir);
    starts.push(running.seconds);
    await stop(running);
  }
  measured['further start, s'] = starts.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)]!;

  dataDir = newFolder();
  const running = await start(folder, dataDir);
  await sleep(SETTLED_MS);
  measured['memory after the start, MB'] = memoryOfTree(running.child.pid!) / 1e6;
  const rest = await idle(running);
  measured['memory at rest, MB'] = rest.megabytes;
  measured['processor at rest, % of a core'] = rest.percent;
  await review(running.url, site);
  measured[`memory after a run of ${PAGES} pages, MB`] = memoryOfTree(running.child.pid!) / 1e6;
  measured['memory at rest after the run, MB'] = (await idle(running)).megabytes;
  await stop(running);
  return measured;
}

const server = fork(join(import.meta.dirname, 'rendered-site.ts'));
const { port } = await messageOf<{ port: number }>(server);
try {
  const results: Record<string, Record<string, number>> = {};
  for (const [name, checkout] of Object.entries(checkouts))
    results[name] = await measure(checkout, `http://127.0.0.1:${port}`);
  const names = Object.keys(results);
  console.log(`| | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}`);
  for (const line of Object.keys(results.now!)) {
    const cells = names.map((name) => results[name]![line]?.toFixed(line.startsWith('memory') ? 0 : 2) ?? '');
    console.log(`| ${line} | ${cells.join(' | ')} |`);
    const { now, ...others } = Object.fromEntries(names.map((name) => [name, results[name]![line] ?? 0]));
    const [name, unit] = line.split(', ') as [string, string];
    report({
      name,
      value: now!,
      unit: unit.startsWith('%') ? '%' : (unit as 's' | 'MB'),
      references: others,
    });
  }
} finally {
  server.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
