import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newKey, post } from './closed-loop.ts';
import { report } from './figures.ts';
import { startService } from './service.ts';

// Starts 300 runs of one API key, then one run of another. Measures how long that one waits in the queue, and how
// much longer all 301 take than runs of one key alone; the baseline is the time per run of a batch of RUNS / 10
// before.
const RUNS = Number(process.env.RUNS ?? 300);
const MAX_WAIT_MS = 5_000;
const MAX_OVERHEAD = 1.2;

const site = createServer((_request, response) => {
  setTimeout(() => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Page</title><h1>Page</h1><p>Some words.</p>');
  }, 500);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const { port } = site.address() as AddressInfo;

const service = await startService({ REDPEN_ALLOW_HOSTS: '127.0.0.0/8' });
const client = new Pool(service.url, { connections: 16 });

interface Tenant {
  headers: Record<string, string>;
  agentId: string;
}

async function newTenant(): Promise<Tenant> {
  const { headers } = await newKey(client);
  const agent = {
    name: 'Text',
    contextGathering: { strategies: ['web-page-text'] },
    execution: { executionStrategy: 'service', serviceId: 'og-image-checker' },
  };
  const { agentId } = await post(client, '/v2/agents/create', agent, headers);
  return { headers, agentId };
}

const startRun = async ({ headers, agentId }: Tenant, page: number): Promise<string> => {
  const url = `http://127.0.0.1:${port}/${page}`;
  const { executionId } = await post(client, '/v2/agents/execution/run', { agentId, url }, headers);
  return executionId;
};

const getExecution = async ({ headers }: Tenant, executionId: string) =>
  (await post(client, '/v2/agents/execution/get', { executionId }, headers)).execution;

/** Polls until the run has ended; returns the execution. */
async function waitForEnd(tenant: Tenant, executionId: string) {
  for (;;) {
    const execution = await getExecution(tenant, executionId);
    if (execution.status !== 'running') return execution;
    await sleep(250);
  }
}

/** Starts `count` runs at once; returns the milliseconds until the last of them has ended. */
async function runBatch(tenant: Tenant, count: number): Promise<number> {
  const startedAt = performance.now();
  const ids = await Promise.all(Array.from({ length: count }, (_, page) => startRun(tenant, page)));
  for (const id of ids) await waitForEnd(tenant, id);
  return performance.now() - startedAt;
}

let hasMissedLimit = false;
try {
  const [busy, other] = [await newTenant(), await newTenant()];
  // This batch is a warm-up, since the first run launches the browser.
  await runBatch(busy, 4);
  const sampleSize = Math.ceil(RUNS / 10);
  const baselineMs = (await runBatch(busy, sampleSize)) / sampleSize;
  const startedAt = performance.now();
  const ids: string[] = [];
  for (let page = 0; page < RUNS; page += 10) {
    ids.push(
      ...(await Promise.all(Array.from({ length: 10 }, (_, index) => startRun(busy, 1_000 + page + index)))),
    );
  }
  const requestedAt = performance.now();
  const otherId = await startRun(other, 1);
  let queuePosition = (await getExecution(other, otherId)).queuePosition;
  const firstPosition = queuePosition;
  while (queuePosition !== undefined) {
    await sleep(50);
    queuePosition = (await getExecution(other, otherId)).queuePosition;
  }
  const waitedMs = performance.now() - requestedAt;
  const { status } = await waitForEnd(other, otherId);
  const statuses = new Map<string, number>();
  for (const id of ids) {
    const { status: ownStatus } = await waitForEnd(busy, id);
    statuses.set(ownStatus, (statuses.get(ownStatus) ?? 0) + 1);
  }
  const totalMs = performance.now() - startedAt;
  const overhead = totalMs / (baselineMs * (RUNS + 1));
  report({ name: `start of a run behind ${RUNS} of another API key`, value: waitedMs, unit: 'ms' });
  report({ name: `${RUNS + 1} runs, to as many alone`, value: overhead, unit: 'times' });
  hasMissedLimit = waitedMs > MAX_WAIT_MS || overhead > MAX_OVERHEAD;
  console.table({
    'runs of the busy key': RUNS,
    'their outcomes': [...statuses].map(([outcome, count]) => `${count} ${outcome}`).join(', '),
    'wait of the other run, ms (at most 5,000)': Math.round(waitedMs),
    'its first queue position': firstPosition,
    'its outcome': status,
    'time of all runs, s': Math.round(totalMs / 100) / 10,
    'ratio to runs alone (at most 1.2)': Math.round(overhead * 100) / 100,
  });
} finally {
  await client.close();
  await service.stop();
  site.close();
}
process.exit(hasMissedLimit ? 1 : 0);
