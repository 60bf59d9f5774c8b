import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../test/service/harness.ts';
import type { Tx } from '../db/tables.ts';
import { newId, randomId } from '../lib/ids.ts';
import { emit } from './emit.ts';
import { onEmit } from './emitted.ts';
import type { Event, EventPayload } from './event-catalog.ts';
import { retryFailed } from './failed-events.ts';
import { relayBatch, startRelay } from './outbox-relay.ts';
import type { Subscriber } from './subscriber.ts';

type Added = Extract<Event, { name: 'agent.add' }>;

/** Handles one event after the other. */
const subscriber = ({
  handle,
  ...definition
}: Pick<Subscriber, 'name' | 'events'> & { handle(tx: Tx, event: Added): Promise<void> }): Subscriber => ({
  ...definition,
  async handle(tx, events) {
    for (const event of events) await handle(tx, event as Added);
  },
});

const newScope = () => ({ workspaceId: newId('ws'), apiKeyId: newId('key') });
const agent = (agentId: string) => ({ agentId, name: 'x', version: 1 });

/** Listens to one tenant only, since other tests write events too. */
function listener(apiKeyId: string) {
  const heard: string[] = [];
  const name = newId('test');
  const one = subscriber({
    name,
    events: ['agent.add'],
    async handle(_tx, event) {
      if (event.apiKeyId === apiKeyId) heard.push(event.payload.agentId);
    },
  });
  return { heard, one };
}

test('events reach a subscriber in order, once, and only after they are committed', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const { heard, one } = listener(scope.apiKeyId);
  await deps.db
    .transaction()
    .execute(async (tx) => {
      await emit(tx, scope, 'agent.add', agent('undone'));
      throw new Error('undo');
    })
    .catch(() => {});
  for (const id of ['a', 'b', 'c']) {
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent(id)));
  }
  while ((await relayBatch(deps.db, [one])) > 0);
  expect(heard).toEqual(['a', 'b', 'c']);
});

test('every event that background work writes wakes the relay, although its statement is built once', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  let wakes = 0;
  const ignore = onEmit(() => {
    wakes += 1;
  });
  onTestFinished(() => void ignore());
  for (const id of ['a', 'b', 'c']) {
    const before = wakes;
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent(id)));
    expect(wakes).toBeGreaterThan(before);
  }
});

test('an event that a subscriber cannot handle is rolled back and retried, and delays neither other subscribers nor other events', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const bucket = newId('b');
  const { heard, one } = listener(scope.apiKeyId);
  const reported: unknown[] = [];
  let isBroken = true;
  const failing = subscriber({
    name: newId('test'),
    events: ['agent.add'],
    async handle(tx, event) {
      if (event.apiKeyId !== scope.apiKeyId) return;
      const row = { bucket: `${bucket}${event.payload.agentId}`, windowStart: 0, used: 0 };
      await tx.insertInto('rateCounters').values(row).execute();
      if (event.payload.agentId === 'b' && isBroken) throw new Error('not now');
    },
  });
  const written = async () =>
    (
      await deps.db
        .selectFrom('rateCounters')
        .select('bucket')
        .where('bucket', 'like', `${bucket}%`)
        .orderBy('bucket')
        .execute()
    ).map((row) => row.bucket.slice(bucket.length));
  const faults = () =>
    deps.db.selectFrom('eventFaults').selectAll().where('apiKeyId', '=', scope.apiKeyId).execute();
  for (const id of ['a', 'b', 'c']) {
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent(id)));
  }
  const onError = (error: unknown, context?: object) => reported.push([(error as Error).message, context]);
  while ((await relayBatch(deps.db, [failing, one], onError)) > 0);
  expect([await written(), heard]).toEqual([
    ['a', 'c'],
    ['a', 'b', 'c'],
  ]);
  expect(reported).toEqual([['not now', expect.objectContaining({ subscriber: failing.name })]]);
  const again = async () => {
    await deps.db
      .updateTable('eventFaults')
      .set({ nextAt: 0 })
      .where('apiKeyId', '=', scope.apiKeyId)
      .execute();
    await retryFailed(deps.db, [failing, one], onError);
  };
  await again();
  expect(await faults()).toMatchObject([{ subscriber: failing.name, tries: 2, error: 'not now' }]);
  isBroken = false;
  await again();
  await again();
  expect([await written(), await faults(), heard]).toEqual([['a', 'b', 'c'], [], ['a', 'b', 'c']]);
});

test('events without a subscriber count as relayed', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.delete', { agentId: 'a' }));
  const relay = startRelay(deps.db, [], { onError: () => {} });
  const waiting = () =>
    deps.db
      .selectFrom('events')
      .select('eventId')
      .where('apiKeyId', '=', scope.apiKeyId)
      .where('relayedAt', 'is', null)
      .execute();
  try {
    await expect.poll(waiting, { timeout: 300_000 }).toEqual([]);
  } finally {
    await relay.stop();
  }
});

test('a subscriber gets only events whose flags allow it, and the others count as relayed', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const heard: string[] = [];
  const subscriber: Subscriber<'comment_annotation.update'> = {
    name: newId('test'),
    events: ['comment_annotation.update'],
    flags: ['visibilityChanged', 'logged'],
    async handle(_tx, events) {
      for (const { apiKeyId, payload } of events)
        if (apiKeyId === scope.apiKeyId) heard.push(payload.annotationId);
    },
  };
  const flags = {
    a: {},
    b: { logged: false },
    c: { logged: false, visibilityChanged: true },
    d: { logged: true, visibilityChanged: false },
  };
  const place = { organizationId: 'acme', documentId: 'website', commentAnnotation: {}, loud: true };
  for (const [annotationId, more] of Object.entries(flags)) {
    await deps.db
      .transaction()
      .execute((tx) => emit(tx, scope, 'comment_annotation.update', { ...place, annotationId, ...more }));
  }
  while ((await relayBatch(deps.db, [subscriber as Subscriber])) > 0);
  const waiting = await deps.db
    .selectFrom('events')
    .select('eventId')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('relayedAt', 'is', null)
    .execute();
  expect(waiting).toEqual([]);
  expect(heard).toEqual(['a', 'c']);
});

test('a subscriber gets only events of its condition, and only the fields that subscribers read', async () => {
  const { deps } = await testApp();
  const [mine, theirs] = [newScope(), newScope()];
  const got: Record<string, unknown[]> = { some: [], all: [], none: [] };
  const listening = (name: string, more: Partial<Subscriber>): Subscriber => ({
    name,
    events: ['agent.add', 'agent.update'],
    ...more,
    async handle(_tx, events) {
      for (const { apiKeyId, payload } of events)
        if ([mine, theirs].some((scope) => scope.apiKeyId === apiKeyId)) got[name]!.push(payload);
    },
  });
  const isMine = sql<boolean>`events.api_key_id = ${sql.lit(mine.apiKeyId)}`;
  const subscribers = [
    listening('some', { fields: ['agentId', 'absent'] }),
    listening('all', { events: ['agent.update'], where: isMine }),
    listening('none', { where: sql<boolean>`false` }),
  ];
  for (const scope of [mine, theirs]) {
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent('a')));
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.update', agent('b')));
  }
  while ((await relayBatch(deps.db, subscribers)) > 0);
  const ids = got.some!.map((payload) => (payload as { agentId: string }).agentId);
  expect(ids.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  expect(got.some).toContainEqual({ agentId: 'a' });
  expect([got.all, got.none]).toEqual([[agent('b')], []]);
});

test('the last subscriber begins when those beside the others have ended, and a failure undoes all of them', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const bucket = newId('b');
  const steps: string[] = [];
  let fails = true;
  const working = (name: string, turn: Subscriber['turn']): Subscriber => ({
    name,
    events: ['agent.add'],
    turn,
    async handle(tx, events) {
      const mine = events.filter(({ apiKeyId }) => apiKeyId === scope.apiKeyId);
      if (mine.length === 0) return;
      const row = { bucket: `${bucket}${name}`, windowStart: 0, used: mine.length };
      await tx.insertInto('rateCounters').values(row).execute();
      if (name === 'first' && fails) {
        fails = false;
        throw new Error('not now');
      }
      steps.push(name);
    },
  });
  const subscribers = [working('last', 'last'), working('first', undefined), working('other', 'beside')];
  await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent('a')));
  while ((await relayBatch(deps.db, subscribers)) > 0);
  // All were undone, and got the event again one by one.
  const written = await deps.db
    .selectFrom('rateCounters')
    .select('bucket')
    .where('bucket', 'like', `${bucket}%`)
    .execute();
  expect(written.map((row) => row.bucket.slice(bucket.length)).toSorted()).toEqual([
    'first',
    'last',
    'other',
  ]);
  steps.length = 0;
  await deps.db.deleteFrom('rateCounters').where('bucket', 'like', `${bucket}%`).execute();
  await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent('b')));
  while ((await relayBatch(deps.db, subscribers)) > 0);
  expect([steps.toSorted(), steps.at(-1)]).toEqual([['first', 'last', 'other'], 'last']);
});

test('a payload that is not as the catalog declares it fails the transaction, and undeclared fields are dropped', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const write = (payload: object) =>
    deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', payload as EventPayload<'agent.add'>));
  await expect(write({ ...agent('a'), version: 'first' })).rejects.toThrow('version');
  await write({ ...agent('b'), secret: 'x' });
  const rows = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', scope.apiKeyId)
    .execute();
  expect(rows).toEqual([{ payload: agent('b') }]);
});

test('concurrent relays keep the order of events', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const { heard, one } = listener(scope.apiKeyId);
  const ids = Array.from({ length: 40 }, (_, index) => String(index));
  await deps.db.transaction().execute(async (tx) => {
    for (const id of ids) await emit(tx, scope, 'agent.add', agent(id));
  });
  const relays = [0, 1, 2].map(() => startRelay(deps.db, [one], { onError: () => {} }));
  try {
    await expect.poll(() => heard.length, { timeout: 300_000 }).toBe(ids.length);
  } finally {
    // Relays that keep running would take the events of other tests.
    await Promise.all(relays.map((relay) => relay.stop()));
  }
  expect(heard).toEqual(ids);
});

test('relays share the lanes of API keys, and keep the order of each', async () => {
  const { deps } = await testApp();
  // The last character decides the lane.
  const scopes = [...'abcdefgh'].map((last) => ({
    workspaceId: newId('ws'),
    apiKeyId: `${newId('key')}${last}`,
  }));
  const heard = new Map<string, string[]>(scopes.map(({ apiKeyId }) => [apiKeyId, []]));
  const one = subscriber({
    name: newId('test'),
    events: ['agent.add'],
    async handle(_tx, { apiKeyId, payload }) {
      heard.get(apiKeyId)?.push(payload.agentId);
    },
  });
  const ids = Array.from({ length: 20 }, (_, index) => String(index));
  await deps.db.transaction().execute(async (tx) => {
    for (const id of ids) for (const scope of scopes) await emit(tx, scope, 'agent.add', agent(id));
  });
  const relays = [0, 1, 2].map(() => startRelay(deps.db, [one], { onError: () => {} }));
  try {
    await expect
      .poll(() => [...heard.values()].flat().length, { timeout: 300_000 })
      .toBe(ids.length * scopes.length);
  } finally {
    await Promise.all(relays.map((relay) => relay.stop()));
  }
  expect([...heard.values()]).toEqual(scopes.map(() => ids));
});

test('while a process relays a lane, others relay only other lanes, until it dies', async () => {
  const { deps } = await testApp();
  const [held, free] = [...'ab'].map((last) => ({
    workspaceId: newId('ws'),
    apiKeyId: `${newId('key')}${last}`,
  }));
  const [ofHeld, ofFree] = [listener(held!.apiKeyId), listener(free!.apiKeyId)];
  const subscribers = [ofHeld.one, ofFree.one];
  const add = (scope: typeof held) =>
    deps.db.transaction().execute((tx) => emit(tx, scope!, 'agent.add', agent('x')));
  while ((await relayBatch(deps.db, [])) > 0);
  await add(held);
  const dies = new Error('The process dies.');
  const dying = relayBatch(deps.db, [
    {
      ...ofHeld.one,
      async handle(tx) {
        await add(free);
        while ((await relayBatch(deps.db, subscribers)) > 0);
        expect([ofHeld.heard, ofFree.heard]).toEqual([[], ['x']]);
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        throw dies;
      },
    },
  ]);
  await expect(dying).rejects.toThrow();
  while ((await relayBatch(deps.db, subscribers)) > 0);
  expect(ofHeld.heard).toEqual(['x']);
});

test('a batch takes no more than a few megabytes of payloads, and the next one takes the rest', async () => {
  const { deps } = await testApp();
  while ((await relayBatch(deps.db, [])) > 0);
  const scope = newScope();
  const { heard, one } = listener(scope.apiKeyId);
  // Random text, since the database compresses what repeats.
  const name = () => randomId(900_000);
  for (const agentId of ['a', 'b', 'c', 'd']) {
    const event = { ...agent(agentId), name: name() };
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', event));
  }
  expect(await relayBatch(deps.db, [one])).toBe(3);
  while ((await relayBatch(deps.db, [one])) > 0);
  expect(heard).toEqual(['a', 'b', 'c', 'd']);
});

test('a relay that is woken polls at once, even if it is polling at that moment', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const { heard, one } = listener(scope.apiKeyId);
  const relay = startRelay(deps.db, [one], { onError: () => {}, idleMs: 3_600_000 });
  try {
    for (const id of ['a', 'b', 'c']) {
      await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent(id)));
      relay.wake();
    }
    await expect.poll(() => heard, { timeout: 300_000 }).toEqual(['a', 'b', 'c']);
  } finally {
    await relay.stop();
  }
});
