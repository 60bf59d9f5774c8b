import { expect, onTestFinished, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/fakes/webhook-receiver.ts';
import { newWebhookStage, type WebhookStage } from '../../../test/messages/webhook-stage.ts';
import { testApp } from '../../../test/service/harness.ts';
import { sendsInFlight, waitingEndpoints } from './delivery-metrics.ts';
import { type SendSlot, SendSlots } from './send-slots.ts';

const soon = { timeout: 300_000, interval: 10 };

const gauge = async (metric: typeof waitingEndpoints) => (await metric.get()).values[0]?.value ?? 0;

/** Takes slots until none is free. */
function takeAll(slots: SendSlots, apiKeyId: string, ...targets: string[]): SendSlot[] {
  const taken: SendSlot[] = [];
  for (;;) {
    const slot = slots.tryTake({ apiKeyId, targets });
    if (!slot) return taken;
    taken.push(slot);
  }
}

test('a target is bounded for all API keys, and one key leaves a reserve to the others', () => {
  const slots = new SendSlots({ capacity: 512, perTarget: 20 });
  expect(takeAll(slots, 'a', 'host')).toHaveLength(15);
  expect(takeAll(slots, 'b', 'host')).toHaveLength(5);
  expect(takeAll(slots, 'c', 'host')).toHaveLength(0);
  expect(takeAll(slots, 'a', 'other')).toHaveLength(15);
});

test('host names that resolve to one address count together', () => {
  const slots = new SendSlots({ capacity: 512, perTarget: 20 });
  expect(takeAll(slots, 'a', 'one.example', '192.0.2.1')).toHaveLength(15);
  expect(takeAll(slots, 'a', 'two.example', '192.0.2.1')).toHaveLength(0);
  expect(takeAll(slots, 'b', 'three.example', '192.0.2.1')).toHaveLength(5);
});

test('an API key has a quarter of all slots', () => {
  const slots = new SendSlots({ capacity: 40, perTarget: 4 });
  const taken = Array.from({ length: 10 }, (_, index) => takeAll(slots, 'a', `host-${index}`)).flat();
  expect(taken).toHaveLength(10);
  expect(takeAll(slots, 'b', 'host-0')).toHaveLength(1);
  taken[0]!.release();
  taken[0]!.release();
  expect(takeAll(slots, 'a', 'host-9')).toHaveLength(1);
});

test('API keys take turns, and waiting for one target does not delay another', () => {
  const slots = new SendSlots({ capacity: 512, perTarget: 4 });
  const [first] = [...takeAll(slots, 'a', 'host'), ...takeAll(slots, 'b', 'host')];
  const granted: string[] = [];
  const wait = (apiKeyId: string, name: string, ...targets: string[]) =>
    slots.wait({ apiKeyId, targets }, () => granted.push(name));
  wait('b', 'b1', 'host');
  const stop = wait('c', 'c0', 'host');
  wait('a', 'a1', 'host');
  wait('c', 'c1', 'host');
  stop();
  expect(slots.tryTake({ apiKeyId: 'b', targets: ['other'] })).toBeDefined();
  first!.release();
  // This key has nothing in flight, unlike the others.
  expect(granted).toEqual(['c1']);
  const [again] = takeAll(slots, 'd', 'host');
  expect(again).toBeUndefined();
});

/** Creates endpoints of a key at a path of a receiver that never answers. */
async function createHangingEndpoints(stage: WebhookStage, urls: string[]): Promise<void> {
  for (const url of urls) {
    await stage.workspace.must('/v2/workspace/advancedwebhook/endpoints/create', {
      url,
      filterTypes: ['document.update'],
    });
  }
}

const repeated = (count: number, url: string): string[] => Array<string>(count).fill(url);

async function startHangingReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver({ anyAge: true });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  receiver.answer('/hang', [], 'hang');
  return receiver;
}

test('many endpoints at a hanging host use few connections and delay no other host', async () => {
  await using stage = await newWebhookStage();
  const hanging = await startHangingReceiver();
  const waitingBefore = await gauge(waitingEndpoints);
  await createHangingEndpoints(stage, [
    ...repeated(75, hanging.url('/hang')),
    ...repeated(75, `http://localhost:${hanging.port}/hang`),
  ]);
  const good = await stage.endpoint('/good', { filterTypes: ['document.update'] });
  await stage.change('d1', 'd2', 'd3');
  await expect.poll(() => hanging.open('/hang'), soon).toBe(15);
  await expect.poll(() => gauge(waitingEndpoints), soon).toBeGreaterThan(waitingBefore + 100);
  expect(await gauge(sendsInFlight)).toBeGreaterThanOrEqual(15);
  await stage.change('d4');
  await expect.poll(() => stage.receiver.at('/good').length, soon).toBe(4);
  expect(hanging.open('/hang')).toBeLessThanOrEqual(15);
  await expect
    .poll(async () => (await stage.deliveries(good)).map(({ status }) => status), soon)
    .toEqual(Array(4).fill('delivered'));
}, 300_000);

test('a host where endpoints of one API key hang still receives deliveries of another key', async () => {
  await using stage = await newWebhookStage();
  await using neighbor = await newWebhookStage();
  const host = await startHangingReceiver();
  await createHangingEndpoints(stage, repeated(40, host.url('/hang')));
  await stage.change('d1');
  await expect.poll(() => host.open('/hang'), soon).toBe(15);
  await createHangingEndpoints(neighbor, [host.url('/good')]);
  await neighbor.change('d1');
  await expect.poll(() => host.at('/good').length, soon).toBe(1);
  expect(host.open('/hang')).toBeLessThanOrEqual(15);
  await createHangingEndpoints(neighbor, repeated(40, host.url('/hang')));
  await neighbor.change('d2');
  await expect.poll(() => host.open('/hang'), soon).toBe(20);
}, 300_000);

test('a test message takes a slot, and is refused if none is free', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/tested');
  const { apiKeyId } = stage.workspace;
  const targets = deps.outside.webhookTargets.of(stage.receiver.url('/tested'));
  const taken = takeAll(deps.webhookSlots, apiKeyId, ...targets);
  const sendTest = () => stage.workspace.post('/v2/workspace/advancedwebhook/endpoints/test', { endpointId });
  const refused = await sendTest();
  expect([refused.status, refused.body.error.status, refused.headers['retry-after']]).toEqual([
    429,
    'RESOURCE_EXHAUSTED',
    '5',
  ]);
  expect(stage.receiver.at('/tested')).toEqual([]);
  for (const slot of taken) slot.release();
  expect((await sendTest()).body.result.data.delivered).toBe(true);
});
