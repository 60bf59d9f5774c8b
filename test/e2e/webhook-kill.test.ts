import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { isWebhookEvent, webhookEvents } from '../../src/webhooks/catalog/webhook-catalog.ts';
import { fakeSite } from '../fakes/site.ts';
import { startWebhookReceiver } from '../fakes/webhook-receiver.ts';
import { newTenant } from '../messages/webhook-tenant.ts';
import {
  type Acknowledged,
  prepare,
  userToken,
  writeComments,
  writePlaces,
} from '../messages/webhook-writers.ts';
import { atEnd } from '../run/at-end.ts';
import { allowLog } from '../run/log-watch.ts';
import { rounds } from '../run/rounds.ts';
import { expireLeases } from '../service/expire-leases.ts';
import { ownService } from '../service/worker-service.ts';

const KILLS = rounds(1, 3, 'KILLS');

const SOME = ['comment.add', 'comment.delete', 'document.update', 'agent.add'];

/** True if an endpoint must receive a committed event, by the path of the endpoint. */
const filters = {
  '/all': ({ name }: { name: string }) => isWebhookEvent(name) && !webhookEvents[name].optIn,
  '/some': ({ name }: { name: string }) => SOME.includes(name),
};

const digest = (raw: Buffer) => createHash('sha256').update(raw).digest('hex');

/** The object of an event: webhooks about one object must arrive in order. */
function objectOf({ name, eventId, payload }: { name: string; eventId: string; payload: Payload }): string {
  if (name.startsWith('comment')) return `annotation ${payload.annotationId}`;
  if (name.startsWith('document.')) return `document ${payload.documentId}`;
  return name.startsWith('user.') ? `user ${payload.userId}` : eventId;
}
type Payload = Record<string, unknown>;

const groupByObject = (ids: string[], objectById: Map<string, string>) =>
  Object.fromEntries(Map.groupBy(ids, (id) => objectById.get(id) ?? 'never committed'));

test(`after ${KILLS} kills at random moments each endpoint has received every committed change, in order`, {
  timeout: 900_000 + KILLS * 40_000,
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: writers, kills and the comparison share what was acknowledged.
}, async () => {
  allowLog(/run resumed after its process was lost|webhook endpoint begins to fail/);
  const receiver = await startWebhookReceiver();
  atEnd(() => receiver[Symbol.asyncDispose]());
  // A page for each kill, since two runs of an agent cannot review the same page at the same time.
  const pages = Array.from({ length: KILLS }, (_, kill) => `/page-${kill}`);
  const site = await fakeSite(Object.fromEntries(pages.map((page) => [page, '<a href="/gone">gone</a>'])));
  atEnd(() => site.close());
  const service = await ownService();
  const { databaseUrl } = service;
  const tenant = await newTenant(() => service);
  const { must, headers, apiKeyId } = tenant;
  const all = await tenant.endpoint(receiver, '/all');
  const some = await tenant.endpoint(receiver, '/some', { filterTypes: SOME });
  await prepare(tenant);
  const { agentId } = await must('/v2/agents/create', {
    name: 'links',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  });

  const acknowledged: Acknowledged[] = [];
  const executions: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    let isRunning = true;
    const isUp = () => isRunning;
    const ada = await userToken(tenant);
    const run = await must('/v2/agents/execution/run', {
      agentId,
      url: `${site.url}${pages[kill]}`,
      organizationId: 'o',
      documentId: 'd',
    });
    executions.push(run.executionId);
    const writer = (mark: string, by = headers) => ({
      service,
      headers: by,
      isUp,
      acknowledged,
      mark: `${mark}-${kill}`,
    });
    const writing = Promise.all([
      writeComments(writer('a')),
      writeComments(writer('b')),
      writeComments(writer('ada', ada)),
      writeComments(writer('ada-too', ada)),
      writePlaces(writer('c')),
      writePlaces(writer('d')),
    ]);
    // An error is thrown where the promise is awaited below.
    writing.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 1_500));
    // On a slow machine nothing may be acknowledged yet that could be lost.
    await expect.poll(() => acknowledged.length, { timeout: 300_000 }).toBeGreaterThan((kill + 1) * 4);
    await service.kill('SIGKILL');
    isRunning = false;
    await writing;
    await expireLeases(databaseUrl, service);
    await service.restart();
  }
  for (const executionId of executions) {
    await expect
      .poll(async () => (await must('/v2/agents/execution/get', { executionId })).execution.status, {
        timeout: 300_000,
        interval: 200,
      })
      .not.toBe('running');
  }

  // The events of the last writes are still being delivered; this event is the marker after them.
  const last = await must('/v2/agents/create', { name: 'last' });
  await expect
    .poll(() => receiver.at('/some').some(({ text }) => text.includes(last.agentId)), { timeout: 300_000 })
    .toBe(true);
  // The marker is the last event, so all deliveries exist. Once none of them waits, no more is sent.
  for (const endpointId of [all, some]) {
    const waiting = { endpointId, status: 'waiting', limit: 1 };
    await expect
      .poll(async () => (await must('/v2/workspace/advancedwebhook/deliveries/get', waiting)).deliveries, {
        timeout: 300_000,
        interval: 200,
      })
      .toEqual([]);
  }
  expect(await service.kill('SIGTERM')).toBe(0);

  const database = await openDatabase({ databaseUrl, onError: () => {} });
  atEnd(() => database.close());
  const events = (
    await database.db
      .selectFrom('events')
      .select(['eventId', 'name', 'payload', 'seq'])
      .where('apiKeyId', '=', apiKeyId)
      .orderBy('seq')
      .execute()
  ).filter(({ payload }) => payload.loud !== false);
  const objects = new Map(events.map((event) => [event.eventId, objectOf(event)]));
  expect(receiver.faults()).toEqual([]);
  for (const [path, isWanted] of Object.entries(filters)) {
    const expected = events.filter(isWanted).map(({ eventId }) => eventId);
    // Repeated deliveries may come late; only the first one counts for the order.
    const receivedIds = [...new Set(receiver.at(path).map(({ id }) => id))];
    expect(groupByObject(receivedIds, objects)).toEqual(groupByObject(expected, objects));
  }

  const bodies = new Map<string, Set<string>>();
  for (const { id, raw } of receiver.received) {
    bodies.set(id, (bodies.get(id) ?? new Set()).add(digest(raw)));
  }
  expect([...bodies].filter(([, digests]) => digests.size > 1)).toEqual([]);

  const delivered = new Set<string>();
  for (const { text } of receiver.at('/all')) {
    const { event } = JSON.parse(text) as { event: string };
    for (const [, mark] of text.matchAll(/"([^"]*\.)"/g)) delivered.add(`${event} ${mark}`);
  }
  expect(acknowledged.filter(({ event, text }) => !delivered.has(`${event} ${text}`))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(KILLS * 4);
  expect(events.filter(({ name }) => name === 'agent_execution.completed')).toHaveLength(KILLS);
});
