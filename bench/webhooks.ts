import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from '../src/db/connections/connect.ts';
import type { Db } from '../src/db/tables.ts';
import type { EventName } from '../src/events/event-catalog.ts';
import { randomId } from '../src/lib/ids.ts';
import { webhookEvents } from '../src/webhooks/catalog/webhook-catalog.ts';
import { type Service, startService } from '../test/service/service.ts';
import { freePort, median, newDatabase, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import {
  insertDeliveries,
  insertEvents,
  raiseEvents,
  serve,
  waitUntilSettled,
  wake,
  withEndpoints,
} from './webhook-service.ts';

// Measures signed deliveries per second, 32 at once, to a receiver in a separate process: by Redpen, from due
// deliveries and from events, by job queues whose job is the same POST, and by the bare HTTP client.
const COUNT = Number(process.env.COUNT ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const ENDPOINTS = Number(process.env.ENDPOINTS ?? 1);

const receiver = await start('bench/webhook-receiver.ts', {});
let redis: ChildProcess | undefined;

async function postJson<T>(url: string, data?: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(data ?? {}),
    // A round may take longer than the five minutes after which fetch times out.
    signal: AbortSignal.timeout(1_200_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${text}`);
  return JSON.parse(text) as T;
}

/** Deliveries that arrive per second during `send`. Reports duplicates. */
async function rateOf(
  name: string,
  secrets: Record<string, string>,
  count: number,
  send: () => Promise<unknown>,
) {
  await postJson(`${receiver}/begin`, { count, secrets });
  const [{ ms, repeats }] = await Promise.all([
    postJson<{ ms: number; repeats: number }>(`${receiver}/end`),
    send(),
  ]);
  if (repeats > 0) console.log(`${name}: ${repeats} duplicates`);
  return ((count - 1) * 1_000) / ms;
}

type Side = (count: number) => Promise<number>;

async function queue(name: string, env: Record<string, string>, body: string): Promise<Side> {
  const secret = `whsec_${Buffer.from(randomId(24)).toString('base64')}`;
  const url = await start('bench/webhook-queues.ts', {
    ...env,
    CONTENDER: name,
    RECEIVER_URL: receiver,
    SECRET: secret,
  });
  return async (count) => {
    await postJson(`${url}/prepare`, { count, body });
    return rateOf(name, { '/hook-0': secret }, count, () => postJson(`${url}/drain`));
  };
}

const graphile = async (name: string, body: string): Promise<Record<string, Side>> => ({
  [name]: await queue(name, { DATABASE_URL: await newDatabase('graphile') }, body),
});

async function startRedis(): Promise<number> {
  const port = await freePort();
  redis = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  await sleep(500);
  return port;
}

async function ours(databaseUrl: string, body: string): Promise<Record<string, Side>> {
  const { url } = await serve(databaseUrl);
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${receiver}/hook-${index}`);
  const forReady = await withEndpoints(url, urls);
  const filterTypes: EventName[] = ['document.update', 'comment_annotation.add'];
  const forEvents = await withEndpoints(url, urls.slice(0, 1), { filterTypes });
  const { db } = await openDatabase({ databaseUrl, onError: console.error });
  await rateOf('ours', forEvents.secrets, 400, () => raiseEvents(forEvents));
  await waitUntilSettled(db);
  const fromEventsNamed =
    (name: EventName): Side =>
    (count) =>
      rateOf(name, forEvents.secrets, count, async () => {
        await insertEvents(db, forEvents, name, count);
        await waitUntilSettled(db);
      });
  return {
    async ready(count) {
      const { endpointIds, secrets } = forReady;
      const countPerEndpoint = Math.floor(count / endpointIds.length);
      await insertDeliveries(db, forReady, { endpointIds, count: countPerEndpoint, body });
      return rateOf('ours, ready', secrets, countPerEndpoint * endpointIds.length, async () => {
        await wake(db, forReady, endpointIds);
        await sleep(100);
        await waitUntilSettled(db);
      });
    },
    'from events': fromEventsNamed('document.update'),
    'from comments': fromEventsNamed('comment_annotation.add'),
  };
}

/**
 * Does the same on an embedded PostgreSQL. The rows of each round are inserted while the service is down, so every
 * round starts with a cold service.
 */
async function embedded(body: string): Promise<Record<string, Side>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const env = { REDPEN_DATA_DIR: dataDir, REDPEN_ALLOW_HOSTS: '127.0.0.1' };
  const first = await startService(env);
  const filterTypes: EventName[] = ['document.update'];
  const service = await withEndpoints(first.url, [`${receiver}/hook-0`], { filterTypes });
  await rateOf('embedded', service.secrets, 200, () => raiseEvents(service));
  await service.client.close();
  await first.kill('SIGTERM');
  const side =
    (insert: (db: Db, count: number) => Promise<unknown>): Side =>
    async (count) => {
      const { db, close } = await openDatabase({ dataDir, log: quiet, onError: console.error });
      await insert(db, count);
      await close();
      let running: Service | undefined;
      const rate = await rateOf('embedded', service.secrets, count, async () => {
        running = await startService(env);
      });
      await running!.kill('SIGTERM');
      return rate;
    };
  return {
    'embedded, ready': side(async (db, count) => {
      const { endpointIds } = service;
      await insertDeliveries(db, service, { endpointIds, count, body });
      await wake(db, service, endpointIds);
    }),
    'embedded, from events': side((db, count) => insertEvents(db, service, 'document.update', count)),
  };
}

const quiet = pino({ level: 'silent' });

const spread = (values: number[]) =>
  `${median(values).toFixed(0)}/s (${values
    .toSorted((a, b) => a - b)
    .map((value) => value.toFixed(0))
    .join(', ')})`;

try {
  const body = JSON.stringify({
    event: 'comment.add',
    actionType: 'added',
    source: 'comment',
    platform: 'sdk',
    webhookId: 'evt_0123456789',
    createdAt: Date.now(),
    data: webhookEvents['comment.add'].sample,
  });
  const sides: Record<string, Side> = {
    ...(await ours(await newDatabase('webhooks'), body)),
    ...(await embedded(body)),
    ...(await graphile('graphile-worker', body)),
    ...(await graphile('graphile-worker, defaults', body)),
    bullmq: await queue('bullmq', { REDIS_PORT: String(await startRedis()) }, body),
    'the bare client': await queue('bare', {}, body),
  };
  console.log(`PostgreSQL, ${COUNT} deliveries of ${body.length} bytes, 32 at once, ${ROUNDS} rounds`);
  const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, [] as number[]]));
  for (const side of Object.values(sides)) await side(Math.ceil(COUNT / 4));
  for (let index = 0; index < ROUNDS; index++) {
    for (const [name, side] of Object.entries(sides)) rates[name]!.push(await side(COUNT));
  }
  for (const own of ['ready', 'from events'])
    report({
      name: `webhook deliveries, ${own}`,
      value: median(rates[own]!),
      unit: '/s',
      references: Object.fromEntries(
        ['graphile-worker', 'bullmq', 'the bare client'].map((name) => [name, median(rates[name]!)]),
      ),
    });
  for (const [name, values] of Object.entries(rates)) {
    const ratio = (redpenRates: number[]) =>
      median(redpenRates.map((rate, index) => rate / values[index]!)).toFixed(2);
    console.log(
      `${name}: ${spread(values)}; ready ${ratio(rates.ready!)}, from events ${ratio(rates['from events']!)} times that`,
    );
  }
} finally {
  redis?.kill('SIGTERM');
  stopAll();
}
