import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  ATTEMPT,
  givenDeliveries as given,
  withEndpoint,
} from '../../../../../test/messages/webhook-deliveries.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../../test/service/harness.ts';

const GET = '/v2/workspace/advancedwebhook/deliveries/get';
const REPLAY = '/v2/workspace/advancedwebhook/deliveries/replay';

async function stored({ apiKeyId }: TestWorkspace) {
  const { deps } = await testApp();
  return await deps.db
    .selectFrom('webhookDeliveries')
    .select(['messageId', 'status', 'tries', 'nextAt', 'finishedAt'])
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('seq')
    .execute();
}

async function laneDueAt({ apiKeyId }: TestWorkspace, endpointId: string) {
  const { deps } = await testApp();
  const row = await deps.db
    .selectFrom('webhookLanes')
    .select('nextAt')
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .executeTakeFirstOrThrow();
  return row.nextAt;
}

test('failed deliveries since a time are replayed once, and keep their attempts', async () => {
  const { w, endpointId } = await withEndpoint();
  await given(
    w,
    { seq: 1, endpointId, status: 'failed' },
    { seq: 2, endpointId, status: 'failed', attempts: [ATTEMPT] },
    { seq: 3, endpointId, status: 'held', tries: 2 },
    { seq: 4, endpointId, status: 'delivered' },
    { seq: 5, endpointId, status: 'waiting', tries: 3, nextAt: 8.64e15 },
    { seq: 6, endpointId, status: 'failed', messageId: 'evt_test_1' },
    { seq: 7, endpointId, status: 'failed' },
  );
  const before = await stored(w);
  const request = { endpointId, since: 2_000, until: 7_000 };
  const started = Date.now();
  expect(await w.must(REPLAY, request)).toEqual({ endpointId, replayed: 2 });
  const after = await stored(w);
  for (const [index, row] of after.entries()) {
    if (row.messageId === 'evt_2' || row.messageId === 'evt_3') {
      expect(row).toMatchObject({ status: 'waiting', tries: 0, finishedAt: null });
      expect(row.nextAt).toBeGreaterThanOrEqual(started);
    } else expect(row).toEqual(before[index]);
  }
  expect(await laneDueAt(w, endpointId)).toBeGreaterThanOrEqual(started);
  const { deliveries } = await w.must(GET, { endpointId, webhookId: 'evt_2' });
  expect(deliveries[0].attempts).toHaveLength(1);
  expect(await w.must(REPLAY, request)).toEqual({ endpointId, replayed: 0 });
});

test('more deliveries than one transaction are replayed, each once', async () => {
  const { w, endpointId } = await withEndpoint();
  const { deps } = await testApp();
  await sql`
    insert into webhook_deliveries
      (api_key_id, message_id, endpoint_id, seq, status, tries, attempts, created_at)
    select ${w.apiKeyId}, 'evt_' || n, ${endpointId}, n, 'failed', 8, '[]', n
    from generate_series(1, 12000) as n`.execute(deps.db);
  expect(await w.must(REPLAY, { endpointId, since: 0 })).toEqual({ endpointId, replayed: 12_000 });
  expect(new Set((await stored(w)).map(({ status }) => status))).toEqual(new Set(['waiting']));
});

test('a single message is replayed in any state, and a waiting one is sent now', async () => {
  const { w, endpointId } = await withEndpoint();
  await given(
    w,
    { seq: 1, endpointId, status: 'delivered' },
    { seq: 2, endpointId, status: 'failed' },
    { seq: 3, endpointId, status: 'waiting', tries: 3, nextAt: 8.64e15 },
  );
  const replay = async (webhookId: string) => (await w.must(REPLAY, { endpointId, webhookId })).replayed;
  for (const id of ['evt_1', 'evt_2', 'evt_3']) {
    expect([await replay(id), await replay(id)]).toEqual([1, 0]);
  }
  const rows = await stored(w);
  expect(rows.map(({ status, tries }) => [status, tries])).toEqual([
    ['waiting', 0],
    ['waiting', 0],
    ['waiting', 3],
  ]);
  for (const { nextAt } of rows) expect(nextAt).toBeLessThanOrEqual(Date.now());
  const missing = await w.post(REPLAY, { endpointId, webhookId: 'evt_none' });
  expect(missing.body.error).toMatchObject({ status: 'NOT_FOUND' });
});

test('a disabled endpoint gets no replay, and its held deliveries are replayed after it is enabled', async () => {
  const { w, endpointId } = await withEndpoint();
  await given(w, { seq: 1, endpointId, status: 'waiting' });
  const update = '/v2/workspace/advancedwebhook/endpoints/update';
  await w.must(update, { endpointId, disabled: true });
  const refused = await w.post(REPLAY, { endpointId, since: 0 });
  expect(refused.body.error).toMatchObject({ status: 'FAILED_PRECONDITION' });
  expect(refused.body.error.message).toContain('Enable it first');
  expect((await stored(w))[0]!.status).toBe('held');
  await w.must(update, { endpointId, disabled: false });
  expect((await w.must(REPLAY, { endpointId, since: 0 })).replayed).toBe(1);
});

test('a replay requires either a message or a time, and an existing endpoint', async () => {
  const { w, endpointId } = await withEndpoint();
  const status = async (data: object) => (await w.post(REPLAY, data)).body.error.status;
  expect(await status({ endpointId })).toBe('INVALID_ARGUMENT');
  expect(await status({ endpointId, webhookId: 'evt_1', since: 1 })).toBe('INVALID_ARGUMENT');
  expect((await w.post(REPLAY, { endpointId, webhookId: 'evt_1', until: 1 })).body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'until must be left out where webhookId is sent.',
  });
  expect(await status({ endpointId: 'ep_none', since: 0 })).toBe('NOT_FOUND');
  expect(await status({ endpointId: 'processed', since: 0 })).toBe('NOT_FOUND');
});

test('deliveries of the basic configuration are replayed only while it is enabled', async () => {
  const w = await newWorkspace();
  const update = '/v2/workspace/webhookconfig/update';
  const webhookServiceConfig = { rawNotificationUrl: 'https://example.com/raw' };
  await w.must(update, { useWebhookService: true, webhookServiceConfig });
  await given(w, { seq: 1, endpointId: 'raw', status: 'failed' });
  await w.must(update, { useWebhookService: false });
  const refused = await w.post(REPLAY, { endpointId: 'raw', since: 0 });
  expect(refused.body.error.status).toBe('FAILED_PRECONDITION');
  await w.must(update, { useWebhookService: true });
  expect((await w.must(REPLAY, { endpointId: 'raw', since: 0 })).replayed).toBe(1);
});
