import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/connect.ts';
import { freePort, median, newDatabase, quantile, start, stopAll } from './closed-loop.ts';
import { insertEvents, raiseEvents, serve, withEndpoints } from './webhook-service.ts';

// How long eight endpoints wait for a message, from the moment of the event to its arrival, with two more beside
// them that are well, and with two of which one is dead and one never answers. Both kinds in one service, in
// rounds that alternate, under a steady stream of events.
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const SECONDS = Number(process.env.SECONDS ?? 20);
const PER_SECOND = Number(process.env.PER_SECOND ?? 50);
const EVERY_MS = 100;

try {
  const receiver = await start('bench/webhook-receiver.ts', {});
  const databaseUrl = await newDatabase('lanes');
  const { url } = await serve(databaseUrl);
  const { db } = await openDatabase({ databaseUrl, onError: console.error });
  const ask = async (path: string, data: object = {}) => {
    const response = await fetch(receiver + path, { method: 'POST', body: JSON.stringify(data) });
    if (!response.ok) throw new Error(await response.text());
    // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs.
    return (await response.json()) as any;
  };

  const filterTypes = ['document.update'];
  const withTwo = async (name: string, first: string, second: string) => {
    const eight = Array.from({ length: 8 }, (_, index) => `${receiver}/${name}-${index}`);
    const service = await withEndpoints(url, [...eight, first, second], { filterTypes });
    await raiseEvents(service);
    await sleep(3_000);
    return {
      service,
      eight: eight.map((one) => new URL(one).pathname),
      p50: [] as number[],
      p99: [] as number[],
    };
  };
  const sides = {
    'all ten well': await withTwo('well', `${receiver}/well-8`, `${receiver}/well-9`),
    'one dead, one slow': await withTwo(
      'beside',
      `http://127.0.0.1:${await freePort()}/dead`,
      `${receiver}/slow`,
    ),
  };
  for (let index = -1; index < ROUNDS; index++) {
    for (const { service, eight, p50, p99 } of Object.values(sides)) {
      const events = SECONDS * PER_SECOND;
      // The two others are not waited for, whatever becomes of them.
      const secrets = Object.fromEntries(eight.map((path) => [path, service.secrets[path]]));
      await ask('/begin', { count: events * eight.length, secrets, delays: true });
      const ended = ask('/end');
      const each = (PER_SECOND * EVERY_MS) / 1_000;
      for (let sent = 0; sent < events; sent += each) {
        await insertEvents(db, service, 'document.update', Math.min(each, events - sent));
        await sleep(EVERY_MS);
      }
      const { delays } = (await ended) as { delays: Record<string, number[]> };
      const ofEight = eight.flatMap((path) => delays[path] ?? []);
      // The first round warms up.
      if (index < 0) continue;
      p50.push(quantile(ofEight, 0.5));
      p99.push(quantile(ofEight, 0.99));
    }
  }
  console.log(`${PER_SECOND} events a second to ten endpoints, ${ROUNDS} rounds of ${SECONDS} s`);
  for (const [name, { p50, p99 }] of Object.entries(sides)) {
    console.log(
      `${name}: p50 ${median(p50).toFixed(0)} ms, p99 ${median(p99).toFixed(0)} ms (${p99.join(', ')})`,
    );
  }
  const [well, beside] = Object.values(sides);
  console.log(`p99 beside the bad ones is ${(median(beside!.p99) / median(well!.p99)).toFixed(2)} of it`);
} finally {
  stopAll();
}
