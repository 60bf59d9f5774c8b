import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWebhookStage } from '../../../../test/messages/webhook-stage.ts';
import { expectLog } from '../../../../test/run/log-watch.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';

const PATH = '/v2/workspace/advancedwebhookconfig';
const ENDPOINTS = '/v2/workspace/advancedwebhook/endpoints';
const off = {
  isEnabled: false,
  encryptData: false,
  encodeData: false,
  publicKey: '',
  enableDataProtection: false,
};
const publicKeyOf = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');
const publicKey = publicKeyOf(2_048);

const update = (workspace: TestWorkspace, data: object) => workspace.post(`${PATH}/update`, data);

test('webhooks are off by default', async () => {
  const workspace = await newWorkspace();
  expect(await workspace.must(`${PATH}/get`)).toEqual(off);
});

test('the first request must enable webhooks', async () => {
  const workspace = await newWorkspace();
  for (const data of [{ encodeData: true }, { isEnabled: false, encodeData: true }])
    expect((await update(workspace, data)).body.error).toEqual({
      status: 'FAILED_PRECONDITION',
      message:
        'Advanced webhooks are not configured for this workspace. Enable them first via POST /v2/workspace/advancedwebhookconfig/update with { "isEnabled": true }.',
    });
  expect(await workspace.must(`${PATH}/get`)).toEqual(off);
});

test('omitted fields are kept, even while webhooks are off', async () => {
  const workspace = await newWorkspace();
  const first = await update(workspace, { isEnabled: true, encodeData: true });
  expect(first.body.result.data).toEqual({ ...off, isEnabled: true, encodeData: true });
  await update(workspace, { publicKey, encryptData: true });
  await update(workspace, { isEnabled: false });
  const last = await update(workspace, { enableDataProtection: true });
  const expected = {
    isEnabled: false,
    encodeData: true,
    encryptData: true,
    publicKey,
    enableDataProtection: true,
  };
  expect(last.body.result.data).toEqual(expected);
  expect(await workspace.must(`${PATH}/get`)).toEqual(expected);
});

test('a request without changes is refused before any other check', async () => {
  const { body } = await update(await newWorkspace(), { other: 1 });
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message:
      'At least one of isEnabled, encryptData, encodeData, publicKey or enableDataProtection must be provided.',
  });
});

test('with encryption on and no key, nothing is sent', async () => {
  expectLog(/no public key is set/);
  await using stage = await newWebhookStage();
  const { workspace, receiver } = stage;
  const endpointId = await stage.endpoint('/hook');
  const { body } = await update(workspace, { encryptData: true });
  expect(body.result.data).toEqual({ ...off, isEnabled: true, encryptData: true });
  const error = 'The message cannot be encrypted: encryptData is on, and no public key is set.';
  const tested = await workspace.must('/v2/workspace/advancedwebhook/endpoints/test', { endpointId });
  expect(tested).toMatchObject({ delivered: false, attempt: { outcome: 'unreachable', error } });
  await stage.change('d1');
  const attempts = async () =>
    (await stage.deliveries(endpointId)).flatMap((row) =>
      row.attempts.map((one: { error?: string }) => one.error),
    );
  await expect.poll(attempts, { timeout: 300_000 }).toEqual([error, error]);
  expect(receiver.received).toEqual([]);
  await update(workspace, { publicKey });
  stage.advance(10_000);
  await expect.poll(() => receiver.at('/hook').length, { timeout: 300_000 }).toBe(1);
  expect(JSON.parse(receiver.received[0]!.raw.toString())).toHaveProperty('encryptedKey');
  await update(workspace, { publicKey: '' });
  await stage.change('d2');
  await expect.poll(attempts, { timeout: 300_000 }).toContain(error);
  expect(receiver.received).toHaveLength(1);
});

test('no key and too short a key are refused as a public key, and not repeated', async () => {
  const workspace = await newWorkspace();
  for (const key of ['hello', publicKeyOf(1_024)]) {
    const { body } = await update(workspace, { isEnabled: true, publicKey: key });
    expect(body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^publicKey must be/),
      details: { issues: [{ path: ['publicKey'] }] },
    });
    expect(body.error.message).not.toContain(key);
  }
  expect(await workspace.must(`${PATH}/get`)).toEqual(off);
});

test('disabling webhooks holds waiting deliveries, and endpoints are not accessible', async () => {
  const workspace = await newWorkspace();
  await update(workspace, { isEnabled: true });
  const { id } = await workspace.must(`${ENDPOINTS}/create`, { url: 'https://example.com/hook' });
  const { deps } = await testApp();
  const { apiKeyId } = workspace;
  await deps.db
    .insertInto('webhookDeliveries')
    .values(
      [id, 'raw'].map((endpointId) => ({
        apiKeyId,
        messageId: 'evt_1',
        endpointId,
        eventType: 'comment.add',
        seq: 1,
        orderKey: null,
        status: 'waiting' as const,
        tries: 0,
        nextAt: 1,
        attempts: '[]' as never,
        createdAt: 1,
        finishedAt: null,
      })),
    )
    .execute();
  await update(workspace, { isEnabled: false });
  const deliveries = await deps.db
    .selectFrom('webhookDeliveries')
    .select(['endpointId', 'status', 'nextAt'])
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('endpointId')
    .execute();
  expect(deliveries).toEqual([
    { endpointId: id, status: 'held', nextAt: null },
    { endpointId: 'raw', status: 'waiting', nextAt: 1 },
  ]);
  const { body } = await workspace.post(`${ENDPOINTS}/get`);
  expect(body.error).toEqual({
    status: 'FAILED_PRECONDITION',
    message:
      'Advanced webhooks are disabled for this workspace. Enable them via POST /v2/workspace/advancedwebhookconfig/update with { "isEnabled": true }.',
  });
  await update(workspace, { isEnabled: true });
  expect((await workspace.must(`${ENDPOINTS}/get`)).endpoints).toMatchObject([{ id, disabled: false }]);
});

test('concurrent changes are all kept', async () => {
  const workspace = await newWorkspace();
  await update(workspace, { isEnabled: true });
  await Promise.all([
    update(workspace, { encodeData: true }),
    update(workspace, { enableDataProtection: true }),
    update(workspace, { publicKey }),
  ]);
  expect(await workspace.must(`${PATH}/get`)).toEqual({
    isEnabled: true,
    encryptData: false,
    encodeData: true,
    publicKey,
    enableDataProtection: true,
  });
});
