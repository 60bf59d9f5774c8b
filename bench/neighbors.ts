import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { slowSite } from './attacker.ts';
import { newKey, post, quantile } from './closed-loop.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';
import { pageAgent } from './lasting-loads.ts';
import { loads } from './loads.ts';
import { startService } from './service.ts';
import type { Stall } from './stall-probe.ts';

// Measures the latencies of one API key, which reads, writes comments, edits a live document and starts a run, while
// an attacker generates one of the loads of bench/loads.ts for LOAD_MS. Each load gets a new service.
const LOAD_MS = Number(process.env.LOAD_MS ?? 20_000);
const nameParts = process.argv.slice(2);
const MAX_P99_MS = 100;
const MAX_STALL_MS = 200;
const MAX_RUN_WAIT_MS = 5_000;

interface Observations {
  reads: number[];
  writes: number[];
  editor: number[];
  failures: string[];
}

const folder = mkdtempSync(join(tmpdir(), 'redpen-neighbors-'));
const place = { organizationId: 'acme', documentId: 'home' };
const from = { userId: 'bob', name: 'Bob', email: 'bob@example.com' };

/** Creates the neighbor: an API key with a thread, an agent and two clients of a live document. */
async function newNeighbor(url: string) {
  const client = new Pool(url, { connections: 8 });
  const { headers } = await newKey(client);
  await post(
    client,
    '/v2/organizations/documents/add',
    { organizationId: 'acme', documents: [{ documentId: 'home' }] },
    headers,
  );
  await post(
    client,
    '/v2/commentannotations/add',
    { ...place, commentAnnotations: [{ annotationId: 'a', commentData: [{ commentText: 'x', from }] }] },
    headers,
  );
  const { agentId } = await post(client, '/v2/agents/create', pageAgent, headers);
  const user = {
    userId: 'bob',
    userProperties: { name: 'Bob', email: 'bob@example.com' },
    permissions: { resources: [{ type: 'organization', id: 'acme' }] },
  };
  const { token } = await post(client, '/v2/auth/generate_token', user, headers);
  const open = async () => {
    const socket = new HocuspocusProviderWebsocket({
      url: `${url.replace('http', 'ws')}/v2/realtime`,
      WebSocketPolyfill: WebSocket,
    });
    const provider = new HocuspocusProvider({ websocketProvider: socket, name: 'acme/home/body', token });
    provider.attach();
    await new Promise<void>((done) => provider.on('synced', () => done()));
    return { provider, socket };
  };
  const [writer, reader] = [await open(), await open()];
  return { client, headers, agentId, writer, reader };
}
type Neighbor = Awaited<ReturnType<typeof newNeighbor>>;

/** Repeats the neighbor's requests and edits at a fixed pace, until the returned function is called. Times are in ms. */
function observe({ client, headers, writer, reader }: Neighbor) {
  const observations: Observations = { reads: [], writes: [], editor: [], failures: [] };
  let isEnding = false;
  const loop = async (everyMs: number, into: number[], path: string, data: object) => {
    while (!isEnding) {
      const startedAt = performance.now();
      try {
        await post(client, path, data, headers);
      } catch (error) {
        observations.failures.push(`${error}`.slice(0, 200));
      }
      into.push(performance.now() - startedAt);
      await sleep(everyMs);
    }
  };
  const text = writer.provider.document.getText('content');
  const read = reader.provider.document.getText('content');
  read.observe(({ delta }) => {
    for (const { insert } of delta)
      for (const mark of `${insert ?? ''}`.split('~').filter(Boolean))
        observations.editor.push(performance.now() - Number(mark));
  });
  const edit = async () => {
    while (!isEnding) {
      text.insert(text.length, `~${performance.now()}`);
      await sleep(50);
    }
  };
  const loops = [
    loop(10, observations.reads, '/v2/commentannotations/get', place),
    loop(40, observations.writes, '/v2/commentannotations/comments/add', {
      ...place,
      annotationId: 'a',
      commentData: [{ commentText: 'x', from }],
    }),
    edit(),
  ];
  return async () => {
    isEnding = true;
    await Promise.all(loops);
    return observations;
  };
}

/** Starts a run; returns its status, and the milliseconds until it leaves the queue and until it ends. */
async function measureRun({ client, headers, agentId }: Neighbor, site: string) {
  const requestedAt = performance.now();
  const { executionId } = await post(client, '/v2/agents/execution/run', { agentId, url: site }, headers);
  let startedMs: number | undefined;
  for (;;) {
    const { execution } = await post(client, '/v2/agents/execution/get', { executionId }, headers);
    if (startedMs === undefined && execution.queuePosition === undefined)
      startedMs = performance.now() - requestedAt;
    if (execution.status !== 'running')
      return { startedMs: startedMs!, endedMs: performance.now() - requestedAt, status: execution.status };
    await sleep(50);
  }
}

const p99 = (values: number[]) => (values.length ? Math.round(quantile(values, 0.99) * 10) / 10 : Number.NaN);
const stallsOf = (file: string): Stall[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function measureLoad(name: string) {
  const stallsFile = join(folder, 'stalls');
  writeFileSync(stallsFile, '');
  const service = await startService({
    REDPEN_ALLOW_HOSTS: '127.0.0.0/8',
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'stall-probe.ts')}`,
    STALLS_FILE: stallsFile,
  });
  const site = await slowSite(100);
  try {
    const neighbor = await newNeighbor(service.url);
    await measureRun(neighbor, `${site.url}/warm`);
    const attack = fork(join(import.meta.dirname, 'attack.ts'), [service.url, name], {
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    await once(attack, 'message');
    setPriority(attack.pid!, constants.priority.PRIORITY_LOW);
    // Stalls during the preparation do not count.
    await sleep(500);
    writeFileSync(stallsFile, '');
    const stop = observe(neighbor);
    const startedAt = performance.now();
    await sleep(LOAD_MS / 10);
    const run = await measureRun(neighbor, `${site.url}/one`);
    await sleep(Math.max(0, LOAD_MS - (performance.now() - startedAt)));
    const observations = await stop();
    const stalls = stallsOf(stallsFile);
    attack.send('end');
    const { actions, failures } = await messageOf<{ actions: number; failures: number }>(attack);
    const ownStalls = stalls.filter(({ ms, workedMs }) => workedMs > ms / 2);
    const longest = Math.max(0, ...ownStalls.map(({ ms }) => ms));
    const result = {
      load: name,
      actions: `${actions}${failures ? ` + ${failures} failed` : ''}`,
      read: p99(observations.reads),
      write: p99(observations.writes),
      editor: p99(observations.editor),
      started: Math.round(run.startedMs),
      ended: Math.round(run.endedMs),
      stall: longest,
      paused: Math.max(0, ...stalls.map(({ ms }) => ms)),
      failed: observations.failures.length,
    };
    const isMet =
      result.read < MAX_P99_MS &&
      result.write < MAX_P99_MS &&
      result.editor < MAX_P99_MS &&
      run.startedMs < MAX_RUN_WAIT_MS + (run.endedMs - run.startedMs) &&
      longest <= MAX_STALL_MS &&
      observations.failures.length === 0;
    report({
      name: `p99 beside the load ${name}, slowest of reads, comments and editor`,
      value: Math.max(result.read, result.write, result.editor),
      unit: 'ms',
    });
    console.log(
      `${isMet ? 'met   ' : 'missed'} ${name}: reads p99 ${result.read} ms, comments ${result.write}, editor ${result.editor}; run started ${result.started}, ended ${result.ended}; longest stall ${longest} (with pauses of the machine ${result.paused}); ${result.actions} actions`,
    );
    for (const failure of new Set(observations.failures)) console.log(`       failed: ${failure}`);
    for (const stall of ownStalls.toSorted((a, b) => b.ms - a.ms).slice(0, process.env.TRACE ? 3 : 0))
      console.log(
        `       ${stall.ms} ms (worked ${stall.workedMs})\n         ${stall.ran?.join('\n         ')}`,
      );
    for (const { provider, socket } of [neighbor.writer, neighbor.reader]) {
      provider.destroy();
      socket.destroy();
    }
    await neighbor.client.destroy();
    return isMet;
  } finally {
    await service.stop();
    site.server.closeAllConnections();
    site.server.close();
  }
}

const selected = loads.filter(
  ({ name }) => nameParts.length === 0 || nameParts.some((part) => name.startsWith(part)),
);
let missedCount = 0;
for (const { name } of selected) if (!(await measureLoad(name))) missedCount += 1;
rmSync(folder, { recursive: true, force: true });
console.log(`${selected.length - missedCount} of ${selected.length} met.`);
process.exit(missedCount > 0 ? 1 : 0);
