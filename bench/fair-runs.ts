import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newKey, post } from './closed-loop.ts';
import { startService } from './service.ts';

// 300 runs of one API key and one of another that comes last: how long the other waits to be begun, and how much
// longer all 301 take than runs alone, which is what RUNS / 10 of them took before, from the first to the last.
const RUNS = Number(process.env.RUNS ?? 300);
const BEGINS_WITHIN_MS = 5_000;
const MOST_OVERHEAD = 1.2;

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

const run = async ({ headers, agentId }: Tenant, page: number): Promise<string> => {
  const url = `http://127.0.0.1:${port}/${page}`;
  const { executionId } = await post(client, '/v2/agents/execution/run', { agentId, url }, headers);
  return executionId;
};

const get = async ({ headers }: Tenant, executionId: string) =>
  (await post(client, '/v2/agents/execution/get', { executionId }, headers)).execution;

/** When it has ended: its times and its status. */
async function follow(tenant: Tenant, executionId: string) {
  for (;;) {
    const execution = await get(tenant, executionId);
    if (execution.status !== 'running') return execution;
    await sleep(250);
  }
}

/** Milliseconds from the first of so many runs to the end of the last. */
async function batch(tenant: Tenant, count: number): Promise<number> {
  const began = performance.now();
  const ids = await Promise.all(Array.from({ length: count }, (_, page) => run(tenant, page)));
  for (const id of ids) await follow(tenant, id);
  return performance.now() - began;
}

let isMissed = false;
try {
  const [busy, other] = [await newTenant(), await newTenant()];
  // The first opens the browser.
  await batch(busy, 4);
  const sample = Math.ceil(RUNS / 10);
  const perRun = (await batch(busy, sample)) / sample;
  const began = performance.now();
  const ids: string[] = [];
  for (let page = 0; page < RUNS; page += 10) {
    ids.push(
      ...(await Promise.all(Array.from({ length: 10 }, (_, index) => run(busy, 1_000 + page + index)))),
    );
  }
  const askedAt = performance.now();
  const single = await run(other, 1);
  let position = (await get(other, single)).queuePosition;
  const firstPosition = position;
  while (position !== undefined) {
    await sleep(50);
    position = (await get(other, single)).queuePosition;
  }
  const waited = performance.now() - askedAt;
  const { status } = await follow(other, single);
  const statuses = new Map<string, number>();
  for (const id of ids) {
    const { status: one } = await follow(busy, id);
    statuses.set(one, (statuses.get(one) ?? 0) + 1);
  }
  const took = performance.now() - began;
  const overhead = took / (perRun * (RUNS + 1));
  isMissed = waited > BEGINS_WITHIN_MS || overhead > MOST_OVERHEAD;
  console.table({
    'runs of the busy key': RUNS,
    'how they ended': [...statuses].map(([one, count]) => `${count} ${one}`).join(', '),
    'the other began after, ms (at most 5,000)': Math.round(waited),
    'its place in the queue at first': firstPosition,
    'how it ended': status,
    'all ended after, s': Math.round(took / 100) / 10,
    'as a ratio of runs alone (at most 1.2)': Math.round(overhead * 100) / 100,
  });
} finally {
  await client.close();
  await service.stop();
  site.close();
}
process.exit(isMissed ? 1 : 0);
