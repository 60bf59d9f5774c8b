import { expect, onTestFinished, test } from 'vitest';
import { newKeyPair } from '../../../../../test/fakes/webhook-body.ts';
import { startWebhookReceiver } from '../../../../../test/fakes/webhook-receiver.ts';
import { newWorkspace, testApp } from '../../../../../test/service/harness.ts';
import { isWebhookEvent, webhookEvents } from '../../../../webhooks/catalog/webhook-catalog.ts';

const TEST = '/v2/workspace/advancedwebhook/endpoints/test';
const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints';

async function startEndpoint(config: object = {}, options?: Parameters<typeof startWebhookReceiver>[0]) {
  const receiver = await startWebhookReceiver(options);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const w = await newWorkspace();
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true, ...config });
  const { id: endpointId } = await w.must(`${ENDPOINTS}/create`, { url: receiver.url('/a') });
  const { secret } = await w.must(`${ENDPOINTS}/secret/get`, { endpointId });
  receiver.expectSignature('/a', secret);
  return { receiver, w, endpointId: endpointId as string, secret: secret as string };
}

test('the sample of an event is delivered, signed, with the id of a test', async () => {
  const { receiver, w, endpointId } = await startEndpoint();
  const answer = await w.must(TEST, { endpointId });
  expect(answer).toMatchObject({ endpointId, delivered: true });
  expect(answer.attempt).toMatchObject({ outcome: 'delivered', status: 200, response: 'ok', error: null });
  expect(receiver.faults()).toEqual([]);
  const [{ id, text, headers }] = receiver.at('/a') as [(typeof receiver.received)[number]];
  expect(id).toBe(answer.webhookId);
  expect(id).toMatch(/^evt_test_/);
  expect(headers['content-type']).toBe('application/json');
  const data = webhookEvents['comment.add'].sample;
  expect(JSON.parse(text)).toMatchObject({ event: 'comment.add', webhookId: id, data });
});

test('any known event can be tested, and no unknown one', async () => {
  const { receiver, w, endpointId } = await startEndpoint();
  const types = Object.keys(webhookEvents).filter(isWebhookEvent);
  for (const eventType of types) {
    expect((await w.must(TEST, { endpointId, eventType })).delivered).toBe(true);
  }
  expect(receiver.received.map(({ text }) => JSON.parse(text).event)).toEqual(types);
  const unknown = await w.post(TEST, { endpointId, eventType: 'comment.sing' });
  expect(unknown.body.error.status).toBe('INVALID_ARGUMENT');
});

test('a test message is encrypted and encoded like real ones', async () => {
  const { publicKey, privateKey } = newKeyPair();
  const { receiver, w, endpointId } = await startEndpoint(
    { encryptData: true, encodeData: true, publicKey },
    { privateKey },
  );
  expect((await w.must(TEST, { endpointId })).delivered).toBe(true);
  expect(receiver.faults()).toEqual([]);
  expect(Object.keys(JSON.parse(receiver.received[0]!.raw.toString()))).toEqual(['encodedPayload']);
  expect(JSON.parse(receiver.received[0]!.text).event).toBe('comment.add');
});

test('a failed test is returned and stored, and not retried', async () => {
  const { receiver, w, endpointId, secret } = await startEndpoint();
  receiver.answer('/a', [{ status: 503, body: `no: ${secret}` }]);
  const answer = await w.must(TEST, { endpointId });
  expect(answer).toMatchObject({ delivered: false, attempt: { outcome: 'refused', status: 503 } });
  expect(answer.attempt.response).toBe('no: [secret]');
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('webhookDeliveries')
    .select(['status', 'nextAt'])
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  expect(rows).toEqual([{ status: 'failed', nextAt: null }]);
});

test('an unreachable receiver is a failure with an error message', async () => {
  const { receiver, w, endpointId } = await startEndpoint();
  receiver.answer('/a', ['reset']);
  const { delivered, attempt } = await w.must(TEST, { endpointId });
  expect([delivered, attempt.outcome, attempt.status]).toEqual([false, 'unreachable', null]);
  expect(attempt.error).toMatch(/./);
});

test('a disabled endpoint can be tested, and stays disabled', async () => {
  const { receiver, w, endpointId } = await startEndpoint();
  await w.must(`${ENDPOINTS}/update`, { endpointId, disabled: true });
  expect((await w.must(TEST, { endpointId })).delivered).toBe(true);
  expect(receiver.received).toHaveLength(1);
  const { endpoints } = await w.must(`${ENDPOINTS}/get`, { endpointId });
  expect(endpoints[0].disabled).toBe(true);
});

test('an unknown endpoint, and one with webhooks off, cannot be tested', async () => {
  const { w, endpointId } = await startEndpoint();
  expect((await w.post(TEST, { endpointId: 'ep_none' })).body.error).toMatchObject({
    status: 'NOT_FOUND',
    message: 'Advanced webhook provider request failed.',
  });
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: false });
  expect((await w.post(TEST, { endpointId })).body.error.status).toBe('FAILED_PRECONDITION');
});
