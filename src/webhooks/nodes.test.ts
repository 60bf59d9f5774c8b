import { expect, test } from 'vitest';
import { newWebhookStage } from '../../test/messages/webhook-stage.ts';
import { expectLog } from '../../test/run/log-watch.ts';
import { testApp } from '../../test/service/harness.ts';
import { recordAttempts } from '../store/webhooks/lanes.ts';
import { startDeliverer } from './deliver/deliverer.ts';
import type { DeliveryResult } from './deliver/delivery-result.ts';
import { ResultRecorder } from './deliver/record-results.ts';

const soon = { timeout: 300_000, interval: 10 };

test('several nodes share the endpoints, and each message comes once and in order', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const others = [0, 1].map(() => startDeliverer(deps, { now: stage.now, pollEveryMs: 20 }));
  const paths = ['/1', '/2', '/3', '/4', '/5'];
  for (const path of paths) await stage.endpoint(path);
  for (let round = 0; round < 6; round += 1) {
    await stage.change(...Array.from({ length: 20 }, (_, index) => `d${index % 7}`));
    for (const other of others) other.wake();
  }
  await expect.poll(() => stage.receiver.received.length, soon).toBeGreaterThanOrEqual(5 * 120);
  await Promise.all(others.map((other) => other.stop()));
  for (const path of paths) {
    const ids = stage.receiver.at(path).map(({ id }) => id);
    expect(new Set(ids).size).toBe(120);
    expect(ids).toHaveLength(120);
  }
  expect(stage.receiver.faults()).toEqual([]);
});

test('a late failure from a process that lost its lease is ignored', async () => {
  expectLog(/begins to fail.*answered 500/);
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/shared');
  stage.receiver.answer('/shared', [], { status: 500 });
  await stage.change('d1');
  await expect.poll(async () => (await stage.deliveries(endpointId))[0]?.tries, soon).toBe(1);
  const [{ messageId, apiKeyId }] = await stage.deliveries(endpointId);
  const result = (triesBefore: number, status: 'waiting' | 'delivered') => ({
    apiKeyId,
    endpointId,
    messageId,
    triesBefore,
    status,
    nextAt: status === 'waiting' ? 1 : null,
    attempt: { at: 1, outcome: 'timeout' as const, latencyMs: 1 },
  });
  const record = (one: ReturnType<typeof result>) =>
    deps.db.transaction().execute((tx) => recordAttempts(tx, [one]));
  expect(await record(result(0, 'waiting'))).toEqual([]);
  expect((await stage.deliveries(endpointId))[0]).toMatchObject({ tries: 1, attempts: [{ status: 500 }] });
  // A late success still counts: the receiver has the message.
  expect(await record(result(0, 'delivered'))).toMatchObject([{ messageId, status: 'delivered' }]);
  expect(await record(result(1, 'waiting'))).toEqual([]);
});

test('results that cannot be written are kept and written later in one batch', async () => {
  const written: string[][] = [];
  const errors: unknown[] = [];
  let fails = true;
  const recorder = new ResultRecorder(
    async (results) => {
      if (fails) {
        fails = false;
        throw new Error('no database');
      }
      written.push(results.map(({ messageId }) => messageId));
    },
    (error) => errors.push(error),
  );
  const resultOf = (messageId: string) => ({ messageId }) as DeliveryResult;
  await Promise.all(['a', 'b', 'c'].map((id) => recorder.add(resultOf(id))));
  expect([written, errors.length]).toEqual([[['a', 'b', 'c']], 1]);
  await recorder.add(resultOf('d'));
  expect(written).toEqual([['a', 'b', 'c'], ['d']]);
});

test('a delivery in flight when the process stops ends, or is sent again later', async () => {
  const stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/slow');
  stage.receiver.answer('/slow', ['drip']);
  await stage.change('d1', 'd1');
  await expect.poll(() => stage.receiver.open('/slow'), soon).toBe(1);
  await stage[Symbol.asyncDispose]();
  // Aborted after the grace period, so its outcome is unknown and it is no attempt.
  expect(await stage.deliveries(endpointId)).toMatchObject([
    { status: 'waiting', tries: 0, attempts: [] },
    { status: 'waiting', tries: 0, attempts: [] },
  ]);
});
