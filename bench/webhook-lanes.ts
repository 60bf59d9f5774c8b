import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/connections/connect.ts';
import { freePort, median, newDatabase, quantile, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { insertEvents, raiseEvents, serve, withEndpoints } from './webhook-service.ts';

// Measures the latency of webhooks at eight endpoints, from the event to its arrival: beside two healthy endpoints,
// and beside one that refuses connections and one that never responds. Both groups are in one service and measured
// in alternating rounds, under a steady stream of events.
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const SECONDS = Number(process.env.SECONDS ?? 20);
const PER_SECOND = Number(process.env.PER_SECOND ?? 50);
const BATCH_EVERY_MS = 100;

try {
  const receiver = await start('bench/webhook-receiver.ts', {});
  const databaseUrl = await newDatabase('lanes');
  const { url } = await serve(databaseUrl);
  const { db } = await openDatabase({ databaseUrl, onError: console.error });
  const postJson = async (path: string, data: object = {}) => {
    const response = await fetch(receiver + path, { method: 'POST', body: JSON.stringify(data) });
    if (!response.ok) throw new Error(await response.text());
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    return (await response.json()) as any;
  };

  const filterTypes = ['document.update'];
  const createGroup = async (name: string, first: string, second: string) => {
    const eight = Array.from({ length: 8 }, (_, index) => `${receiver}/${name}-${index}`);
    const service = await withEndpoints(url, [...eight, first, second], { filterTypes });
    await raiseEvents(service);
    await sleep(3_000);
    return {
      service,
      eight: eight.map((endpointUrl) => new URL(endpointUrl).pathname),
      p50: [] as number[],
      p99: [] as number[],
    };
  };
  const groups = {
    'ten healthy': await createGroup('healthy', `${receiver}/healthy-8`, `${receiver}/healthy-9`),
    'one dead, one hanging': await createGroup(
      'mixed',
      `http://127.0.0.1:${await freePort()}/dead`,
      `${receiver}/hanging`,
    ),
  };
  for (let round = -1; round < ROUNDS; round++) {
    for (const { service, eight, p50, p99 } of Object.values(groups)) {
      const events = SECONDS * PER_SECOND;
      // The receiver counts only endpoints whose secrets it has, so the other two are not awaited.
      const secrets = Object.fromEntries(eight.map((path) => [path, service.secrets[path]]));
      await postJson('/begin', { count: events * eight.length, secrets, delays: true });
      const delivered = postJson('/end');
      const eventsPerBatch = (PER_SECOND * BATCH_EVERY_MS) / 1_000;
      for (let sent = 0; sent < events; sent += eventsPerBatch) {
        await insertEvents(db, service, 'document.update', Math.min(eventsPerBatch, events - sent));
        await sleep(BATCH_EVERY_MS);
      }
      const { delays } = (await delivered) as { delays: Record<string, number[]> };
      const allDelays = eight.flatMap((path) => delays[path] ?? []);
      // The first round is a warm-up.
      if (round < 0) continue;
      p50.push(quantile(allDelays, 0.5));
      p99.push(quantile(allDelays, 0.99));
    }
  }
  console.log(`${PER_SECOND} events a second to ten endpoints, ${ROUNDS} rounds of ${SECONDS} s`);
  for (const [name, { p50, p99 }] of Object.entries(groups)) {
    console.log(
      `${name}: p50 ${median(p50).toFixed(0)} ms, p99 ${median(p99).toFixed(0)} ms (${p99.join(', ')})`,
    );
  }
  const [healthy, faulty] = Object.values(groups);
  report({
    name: 'webhook beside faulty endpoints, p99',
    value: median(faulty!.p99),
    unit: 'ms',
    references: { 'beside healthy ones': median(healthy!.p99) },
  });
  console.log(
    `p99 beside faulty endpoints is ${(median(faulty!.p99) / median(healthy!.p99)).toFixed(2)} times that beside healthy ones`,
  );
} finally {
  stopAll();
}
