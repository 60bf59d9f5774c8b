import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { logComments } from '../src/activities/log-comments.ts';
import { openDatabase } from '../src/db/connections/connect.ts';
import type { Db, Tx } from '../src/db/tables.ts';
import { relayBatch } from '../src/events/outbox-relay.ts';
import type { Subscriber } from '../src/events/subscriber.ts';
import { followThreads } from '../src/notifications/follow-threads.ts';
import { notifyOfComments } from '../src/notifications/notify-of-comments.ts';
import { recordLiveEvents } from '../src/realtime/feed/record-live-events.ts';
import { fanOutToWebhooks } from '../src/webhooks/compose/fan-out.ts';
import { median, newDatabase, post } from './closed-loop.ts';
import { report } from './figures.ts';
import { startService } from './service.ts';
import { insertEvents, raiseEvents, withEndpoints } from './webhook-service.ts';

// Measures the relay alone: loud comment events per second that become notifications, activities, webhook messages
// with a delivery each, and live events. Neither the deliverer nor requests run meanwhile.
const COUNT = Number(process.env.COUNT ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const databaseUrl = await newDatabase('relay');

const service = await startService({
  DATABASE_URL: databaseUrl,
  REDPEN_ALLOW_HOSTS: '127.0.0.1',
  REDPEN_KEY_RATE: '1000000',
});
// Nothing listens there, and the service is stopped before the deliveries are due.
const tenant = await withEndpoints(service.url, ['http://127.0.0.1:9/hook'], {
  filterTypes: ['comment_annotation.add'],
});
await post(
  tenant.client,
  '/v2/workspace/activityconfig/update',
  { activityServiceConfig: { isEnabled: true } },
  tenant.headers,
);
await raiseEvents(tenant);
const { db, close } = await openDatabase({ databaseUrl, onError: console.error });
const waiting = sql<{ left: number }>`select count(*)::integer as left from events where relayed_at is null`;
while ((await waiting.execute(db)).rows[0]!.left > 0) await sleep(100);
await tenant.client.close();
await service.stop();

/** Milliseconds in each subscriber. Webhooks are composed beside the others, so they include waits for the database. */
const spent: Record<string, number> = {};
const timed = (subscriber: Subscriber): Subscriber => ({
  ...subscriber,
  async handle(tx: Tx, events) {
    const startedAt = performance.now();
    await subscriber.handle(tx, events);
    spent[subscriber.name] = (spent[subscriber.name] ?? 0) + performance.now() - startedAt;
  },
});
const subscribers = [logComments, notifyOfComments, followThreads, fanOutToWebhooks, recordLiveEvents].map(
  timed,
);

async function relayAll(db: Db): Promise<void> {
  while ((await relayBatch(db, subscribers)) > 0);
}

await insertEvents(db, tenant, 'comment_annotation.add', 1_000);
await relayAll(db);
const rates: number[] = [];
for (let index = 0; index < ROUNDS; index++) {
  await insertEvents(db, tenant, 'comment_annotation.add', COUNT);
  for (const name of Object.keys(spent)) spent[name] = 0;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await relayAll(db);
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  rates.push((COUNT * 1_000) / ms);
  const parts = Object.entries(spent).map(([name, part]) => `${name} ${((part * 1_000) / COUNT).toFixed(0)}`);
  console.log(
    `${rates.at(-1)!.toFixed(0)}/s; µs an event: ${((ms * 1_000) / COUNT).toFixed(0)}, of which processor time of Node ${((user + system) / COUNT).toFixed(0)}; ${parts.join(', ')}`,
  );
}
const { rows } = await sql<{ what: string; count: number }>`
  select 'notifications' as what, count(*) from notifications union all select 'activities', count(*) from activities
  union all select 'deliveries', count(*) from webhook_deliveries union all select 'live events', count(*) from live_events`.execute(
  db,
);
console.log(rows.map(({ what, count }) => `${count} ${what}`).join(', '));
report({ name: 'loud events that the relay hands on', value: median(rates), unit: '/s' });
console.log(`${median(rates).toFixed(0)} loud events a second`);
await close();
