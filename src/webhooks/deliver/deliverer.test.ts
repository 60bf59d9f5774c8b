import { expect, test } from 'vitest';
import { eventPayloads } from '../../../test/documents/annotations.ts';
import { newWebhookStage, type WebhookStage } from '../../../test/messages/webhook-stage.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { testApp } from '../../../test/service/harness.ts';
import { RETRY_STEPS_MS } from './retry-schedule.ts';

const soon = { timeout: 300_000, interval: 10 };
const DAY = 24 * 3_600_000;

/** Waits until this many attempts are recorded. */
async function waitForAttempts(stage: WebhookStage, endpointId: string, attempts: number) {
  const count = async () => {
    const rows = await stage.deliveries(endpointId);
    return rows.reduce((sum, { attempts: tried }) => sum + tried.length, 0);
  };
  await expect.poll(count, soon).toBe(attempts);
  return await stage.deliveries(endpointId);
}

test('a delivery that always fails is tried eight times over the whole schedule, then given up', async () => {
  expectLog(/failed on its last attempt/);
  expectLog(/begins to fail.*answered 500/);
  await using stage = await newWebhookStage();
  const { receiver } = stage;
  const endpointId = await stage.endpoint('/down', { filterTypes: ['document.update'] });
  const other = await stage.endpoint('/other', { filterTypes: ['message.attempt.exhausted'] });
  receiver.answer('/down', [], { status: 500, body: 'out of order' });
  await stage.change('d1');
  for (const [index, step] of RETRY_STEPS_MS.entries()) {
    const [row] = await waitForAttempts(stage, endpointId, index + 1);
    expect(row).toMatchObject({ status: 'waiting', tries: index + 1, finishedAt: null });
    expect(row.nextAt - row.attempts.at(-1).at).toBeGreaterThanOrEqual(step);
    expect(row.nextAt - row.attempts.at(-1).at).toBeLessThan(step + 60_000);
    stage.advance(row.nextAt - stage.now() - 1_000);
    expect(receiver.at('/down')).toHaveLength(index + 1);
    stage.advance(1_000);
  }
  const [row] = await waitForAttempts(stage, endpointId, 8);
  expect(row).toMatchObject({ status: 'failed', tries: 8, nextAt: null, finishedAt: expect.any(Number) });
  expect(row.attempts[7]).toMatchObject({ outcome: 'refused', status: 500, response: 'out of order' });
  const received = receiver.at('/down');
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  expect(new Set(received.map(({ text }) => text)).size).toBe(1);
  const times = received.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(8);
  await stage.relay();
  await waitForAttempts(stage, other, 1);
  expect(JSON.parse(receiver.at('/other')[0]!.text)).toMatchObject({
    event: 'message.attempt.exhausted',
    data: { endpointId, webhookId: received[0]!.id, eventType: 'document.update', attempts: 8 },
  });
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])('after %i failures a success ends it', async (failures) => {
  if (failures > 0) expectLog(/begins to fail.*answered 503/);
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/flaky');
  stage.receiver.answer('/flaky', Array(failures).fill({ status: 503 }));
  await stage.change('d1');
  for (let tried = 1; tried <= failures; tried += 1) {
    const [row] = await waitForAttempts(stage, endpointId, tried);
    stage.advance(row.nextAt - stage.now());
  }
  const [row] = await waitForAttempts(stage, endpointId, failures + 1);
  expect(row).toMatchObject({ status: 'delivered', tries: failures, nextAt: null });
  stage.advance(3 * DAY);
  await stage.change('d2');
  await waitForAttempts(stage, endpointId, failures + 2);
  expect(stage.receiver.at('/flaky')).toHaveLength(failures + 2);
  expect(stage.receiver.faults()).toEqual([]);
});

test('the next change of a subject waits for the one before; other subjects go on', async () => {
  expectLog(/begins to fail.*answered 500/);
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/ordered');
  stage.receiver.answer('/ordered', [{ status: 500 }]);
  await stage.change('d1');
  await waitForAttempts(stage, endpointId, 1);
  await stage.change('d1', 'd2', 'd1', 'd3');
  await waitForAttempts(stage, endpointId, 3);
  const documents = () =>
    stage.receiver.at('/ordered').map(({ text }) => JSON.parse(text).data.documentId as string);
  expect(documents()).toEqual(['d1', 'd2', 'd3']);
  stage.advance(6_000);
  await waitForAttempts(stage, endpointId, 6);
  expect(documents()).toEqual(['d1', 'd2', 'd3', 'd1', 'd1', 'd1']);
  const seqs = (await stage.deliveries(endpointId)).map(({ messageId }) => messageId);
  const ofFirst = stage.receiver
    .at('/ordered')
    .filter(({ text }) => JSON.parse(text).data.documentId === 'd1');
  const firsts = [...new Set(ofFirst.map(({ id }) => id))];
  expect(firsts).toEqual(seqs.filter((id) => firsts.includes(id)));
});

test('many changes of one subject arrive one after the other, in order', async () => {
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/long');
  await stage.change(...Array(180).fill('d1'));
  const rows = await waitForAttempts(stage, endpointId, 180);
  expect(stage.receiver.at('/long').map(({ id }) => id)).toEqual(rows.map(({ messageId }) => messageId));
});

test('410 disables the endpoint at once, sends an event and holds its waiting deliveries', async () => {
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/gone', { rateLimit: 1 });
  stage.receiver.answer('/gone', [], { status: 410 });
  await stage.change('d1', 'd2', 'd3');
  const held = async () => (await stage.deliveries(endpointId)).map(({ status }) => status);
  await expect.poll(held, soon).toEqual(['held', 'held', 'held']);
  await expect
    .poll(() => eventPayloads(stage.workspace, 'endpoint.disabled'), soon)
    .toMatchObject([{ endpointId, reason: 'gone' }]);
  await stage.change('d4');
  stage.advance(DAY);
  expect(new Set(await held())).toEqual(new Set(['held']));
  const sent = new Set(stage.receiver.at('/gone').map(({ id }) => id));
  expect(sent.size).toBeLessThanOrEqual(3);
  const { endpoints } = await stage.workspace.must('/v2/workspace/advancedwebhook/endpoints/get');
  expect(endpoints).toMatchObject([{ id: endpointId, disabled: true, disabledReason: 'gone' }]);
});

test('an endpoint that fails for five days is disabled, and its owner is notified before', async () => {
  expectLog(/begins to fail.*answered 500/);
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/failing', { filterTypes: ['document.update'] });
  stage.receiver.answer('/failing', [], { status: 500 });
  const notices = async () => [
    ...(await eventPayloads(stage.workspace, 'endpoint.failing')).map(({ percent }) => percent),
    ...(await eventPayloads(stage.workspace, 'endpoint.disabled')).map(({ reason }) => reason),
  ];
  let failures = 0;
  const failOnce = async (days: number) => {
    stage.advance(days * DAY);
    failures += 1;
    await waitForAttempts(stage, endpointId, failures);
  };
  await stage.change('d1');
  await failOnce(0);
  await failOnce(2.4);
  expect(await notices()).toEqual([]);
  await failOnce(0.2);
  await expect.poll(notices, soon).toEqual([50]);
  await failOnce(1.9);
  await expect.poll(notices, soon).toEqual([50, 90]);
  await failOnce(0.55);
  await expect.poll(notices, soon).toEqual([50, 90, 'failing']);
  const statuses = async () => [...new Set((await stage.deliveries(endpointId)).map(({ status }) => status))];
  await expect.poll(statuses, soon).not.toContain('waiting');
});

test('a success restarts the count of days', async () => {
  expectLog(/begins to fail.*answered 500/);
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/recovers');
  const health = async () => {
    const { deps } = await testApp();
    return await deps.db
      .selectFrom('webhookLanes')
      .select('failingSince')
      .where('endpointId', '=', endpointId)
      .executeTakeFirstOrThrow();
  };
  stage.receiver.answer('/recovers', [{ status: 500 }]);
  await stage.change('d1');
  await expect.poll(health, soon).toEqual({ failingSince: expect.any(Number) });
  stage.advance(6_000);
  await expect.poll(health, soon).toEqual({ failingSince: null });
});

test('a retry-after pauses the whole endpoint', async () => {
  expectLog(/begins to fail.*answered 429/);
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/busy');
  stage.receiver.answer('/busy', [{ status: 429, headers: { 'retry-after': '9' } }]);
  await stage.change('d1');
  const [row] = await waitForAttempts(stage, endpointId, 1);
  expect(row.nextAt - row.attempts[0].at).toBeGreaterThanOrEqual(9_000);
  await stage.change('d2');
  stage.advance(8_000);
  await stage.change('d3');
  expect(stage.receiver.at('/busy')).toHaveLength(1);
  stage.advance(2_000);
  await waitForAttempts(stage, endpointId, 4);
});

test('an endpoint that hangs or is gone delays no other', async () => {
  expectLog(/begins to fail.*connection was closed/);
  await using stage = await newWebhookStage();
  const bad = [await stage.endpoint('/hangs'), await stage.endpoint('/resets')];
  stage.receiver.answer('/hangs', [], 'hang');
  stage.receiver.answer('/resets', [], 'reset');
  const good = await Promise.all(['/1', '/2', '/3', '/4'].map((path) => stage.endpoint(path)));
  await stage.change(...Array.from({ length: 60 }, (_, index) => `d${index}`));
  for (const endpointId of good) await waitForAttempts(stage, endpointId, 60);
  expect(stage.receiver.open('/hangs')).toBeGreaterThan(0);
  for (const endpointId of bad) {
    const rows = await stage.deliveries(endpointId);
    expect(rows.filter(({ status }) => status === 'delivered')).toEqual([]);
  }
});

test('a rate limit delays deliveries and drops none', async () => {
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/slowly', { rateLimit: 20 });
  const begun = performance.now();
  await stage.change(...Array.from({ length: 30 }, (_, index) => `d${index}`));
  await waitForAttempts(stage, endpointId, 30);
  expect(stage.receiver.at('/slowly')).toHaveLength(30);
  // Thirty deliveries take at least this long under the limit, however busy the machine.
  expect(performance.now() - begun).toBeGreaterThan(1_000);
});

test('a process that stops releases its endpoints, and another continues them', async () => {
  const first = await newWebhookStage();
  const endpointId = await first.endpoint('/moves');
  await first.change('d1');
  await waitForAttempts(first, endpointId, 1);
  const { deps } = await testApp();
  const leases = () =>
    deps.db.selectFrom('webhookLeases').selectAll().where('endpointId', '=', endpointId).execute();
  await expect.poll(leases, soon).toEqual([]);
  await first[Symbol.asyncDispose]();
  expect(await leases()).toEqual([]);
});
