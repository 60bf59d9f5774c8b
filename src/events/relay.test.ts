import { expect, test } from 'vitest';
import { testApp } from '../../test/harness.ts';
import { newId } from '../lib/ids.ts';
import { emit } from './emit.ts';
import { passUnheard, relayBatch, startRelay } from './relay.ts';
import { subscriber } from './subscriber.ts';

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

test('events reach a subscriber in order, once, and only after they were committed', async () => {
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

test('a subscriber that fails hears of the event again, and what it wrote before is undone', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const bucket = newId('b');
  let tries = 0;
  const failing = subscriber({
    name: newId('test'),
    events: ['agent.add'],
    async handle(tx, event) {
      if (event.apiKeyId !== scope.apiKeyId) return;
      tries += 1;
      await tx
        .insertInto('rateCounters')
        .values({ bucket: `${bucket}${tries}`, windowStart: 0, used: 0 })
        .execute();
      if (tries === 1) throw new Error('not now');
    },
  });
  await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', agent('a')));
  await expect(relayBatch(deps.db, [failing])).rejects.toThrow('not now');
  while ((await relayBatch(deps.db, [failing])) > 0);
  const rows = await deps.db
    .selectFrom('rateCounters')
    .select('bucket')
    .where('bucket', 'like', `${bucket}%`)
    .execute();
  expect(rows).toEqual([{ bucket: `${bucket}2` }]);
});

test('events that nobody listens to do not wait', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.delete', { agentId: 'a' }));
  const relay = startRelay(deps.db, [], () => {});
  const waiting = () =>
    deps.db
      .selectFrom('events')
      .select('eventId')
      .where('apiKeyId', '=', scope.apiKeyId)
      .where('relayedAt', 'is', null)
      .execute();
  await expect.poll(waiting, { timeout: 5_000 }).toEqual([]);
  await relay.stop();
});

test('a subscriber hears only of the events whose flags say so, and nobody waits for the others', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const { heard, one } = listener(scope.apiKeyId);
  const heedful = { ...one, heeds: ['logged', 'loud'] };
  const flags = {
    a: {},
    b: { loud: false },
    c: { loud: false, logged: true },
    d: { loud: true, logged: false },
  };
  for (const [id, more] of Object.entries(flags)) {
    await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', { ...agent(id), ...more }));
  }
  while ((await passUnheard(deps.db, [heedful])) > 0);
  const waiting = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('relayedAt', 'is', null)
    .orderBy('seq')
    .execute();
  expect(waiting.map(({ payload }) => payload.agentId)).toEqual(['a', 'c']);
  while ((await relayBatch(deps.db, [heedful])) > 0);
  expect(heard).toEqual(['a', 'c']);
});

test('an event that a subscriber does not heed takes no receipt', async () => {
  const { deps } = await testApp();
  const scope = newScope();
  const { heard, one } = listener(scope.apiKeyId);
  const loud = { ...agent('a'), loud: false };
  await deps.db.transaction().execute((tx) => emit(tx, scope, 'agent.add', loud));
  while ((await relayBatch(deps.db, [{ ...one, heeds: ['loud'] }])) > 0);
  expect(heard).toEqual([]);
  const receipts = await deps.db
    .selectFrom('eventReceipts')
    .select('subscriber')
    .where('apiKeyId', '=', scope.apiKeyId)
    .execute();
  expect(receipts).toEqual([]);
});
