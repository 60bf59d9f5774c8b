import { expect, onTestFinished, test } from 'vitest';
import { startWebhookReceiver } from '../../../../../test/fakes/webhook-receiver.ts';
import {
  ATTEMPT,
  givenDeliveries as given,
  withEndpoint,
} from '../../../../../test/messages/webhook-deliveries.ts';
import { newWorkspace } from '../../../../../test/service/harness.ts';

const GET = '/v2/workspace/advancedwebhook/deliveries/get';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the service.
const idsOf = ({ deliveries }: any): string[] =>
  deliveries.map((one: { webhookId: string }) => one.webhookId);

test('a delivery is returned with its attempts, and missing values are null', async () => {
  const { w, endpointId } = await withEndpoint();
  await given(w, { seq: 1, endpointId, status: 'waiting', nextAt: 77, attempts: [ATTEMPT] });
  const { deliveries, ...cursors } = await w.must(GET, { endpointId });
  expect(deliveries).toEqual([
    {
      webhookId: 'evt_1',
      endpointId,
      eventType: 'comment.add',
      status: 'waiting',
      createdAt: 1_000,
      nextAttemptAt: 77,
      finishedAt: null,
      attempts: [{ ...ATTEMPT, response: null }],
    },
  ]);
  expect(cursors).toEqual({ iterator: null, prevIterator: null, done: true });
});

test('a list can be paged from newest to oldest and back, and filtered by the webhook-id alone', async () => {
  const { w, endpointId } = await withEndpoint();
  await given(w, ...Array.from({ length: 5 }, (_, index) => ({ seq: index + 1, endpointId })));
  const first = await w.must(GET, { endpointId, limit: 2 });
  const second = await w.must(GET, { endpointId, limit: 2, iterator: first.iterator });
  const third = await w.must(GET, { endpointId, limit: 2, iterator: second.iterator });
  const back = await w.must(GET, { endpointId, limit: 2, iterator: third.prevIterator });
  expect([first, second, third, back].map(idsOf)).toEqual([
    ['evt_5', 'evt_4'],
    ['evt_3', 'evt_2'],
    ['evt_1'],
    ['evt_3', 'evt_2'],
  ]);
  expect([first.done, third.done]).toEqual([false, true]);
  const foreign = await w.post(GET, { endpointId, status: 'failed', iterator: first.iterator });
  expect(foreign.body.error.message).toContain('iterator is not valid');

  const { id: other } = await w.must('/v2/workspace/advancedwebhook/endpoints/create', {
    url: 'https://example.com/other',
  });
  await given(w, { seq: 5, endpointId: other });
  const one = await w.must(GET, { webhookId: 'evt_5', limit: 1 });
  const two = await w.must(GET, { webhookId: 'evt_5', limit: 1, iterator: one.iterator });
  expect(new Set([...one.deliveries, ...two.deliveries].map((row) => row.endpointId))).toEqual(
    new Set([endpointId, other]),
  );
  expect(two.done).toBe(true);
});

test('a list can be filtered by state, event and time', async () => {
  const { w, endpointId } = await withEndpoint();
  await given(
    w,
    { seq: 1, endpointId, status: 'delivered' },
    { seq: 2, endpointId, status: 'held', eventType: 'comment.update' },
    { seq: 3, endpointId, status: 'waiting' },
    { seq: 4, endpointId, status: 'failed', eventType: 'comment.update' },
  );
  const ids = async (filter: object) => idsOf(await w.must(GET, { endpointId, ...filter }));
  for (const [status, id] of [
    ['delivered', 'evt_1'],
    ['held', 'evt_2'],
    ['waiting', 'evt_3'],
    ['failed', 'evt_4'],
  ] as const) {
    expect(await ids({ status })).toEqual([id]);
  }
  expect(await ids({ eventType: 'comment.update' })).toEqual(['evt_4', 'evt_2']);
  expect(await ids({ since: 2_000, until: 4_000 })).toEqual(['evt_3', 'evt_2']);
  expect(await ids({ webhookId: 'evt_3' })).toEqual(['evt_3']);
});

test('the payload is returned on request, for basic endpoints in their format', async () => {
  const { w, endpointId } = await withEndpoint();
  await w.must('/v2/workspace/webhookconfig/update', {
    useWebhookService: true,
    webhookServiceConfig: { rawNotificationUrl: 'https://example.com/raw' },
  });
  await given(w, { seq: 1, endpointId, basicBody: '{"flat":1}' }, { seq: 1, endpointId: 'raw' });
  const payload = async (endpointId: string) =>
    (await w.must(GET, { endpointId, includePayload: true })).deliveries[0].payload;
  expect(await payload(endpointId)).toEqual({ seq: 1 });
  expect(await payload('raw')).toEqual({ flat: 1 });
  const many = await w.post(GET, { endpointId, includePayload: true, limit: 21 });
  expect(many.body.error.message).toContain('at most 20');
});

test('a list requires an endpoint or a message, and enabled webhooks', async () => {
  const { w } = await withEndpoint();
  const refusal = async (data: object, of = w) => (await of.post(GET, data)).body.error;
  expect((await refusal({})).status).toBe('INVALID_ARGUMENT');
  expect(await refusal({ endpointId: 'ep_none' })).toMatchObject({
    status: 'NOT_FOUND',
    message: 'Advanced webhook provider request failed.',
  });
  expect((await refusal({ endpointId: 'raw' })).status).toBe('NOT_FOUND');
  const fresh = await newWorkspace();
  expect((await refusal({ webhookId: 'evt_1' }, fresh)).status).toBe('FAILED_PRECONDITION');
  expect(idsOf(await w.must(GET, { webhookId: 'evt_none' }))).toEqual([]);
});

test('a test message is listed with its attempt', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const { w, endpointId } = await withEndpoint(receiver.url('/a'));
  const { webhookId, attempt } = await w.must('/v2/workspace/advancedwebhook/endpoints/test', { endpointId });
  const { deliveries } = await w.must(GET, { endpointId, includePayload: true });
  expect(deliveries).toMatchObject([{ webhookId, status: 'delivered', attempts: [attempt] }]);
  expect(deliveries[0].payload).toEqual(JSON.parse(receiver.at('/a')[0]!.text));
});
