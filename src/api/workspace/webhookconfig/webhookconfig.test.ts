import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';

const PATH = '/v2/workspace/webhookconfig';
const nothing = { authToken: '', rawNotificationUrl: '', processedNotificationUrl: '' };
const raw = 'https://example.com/raw';
const processed = 'https://example.com/processed';
const publicKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({
  type: 'pkcs1',
  format: 'pem',
}) as string;

const update = (workspace: TestWorkspace, data: object) => workspace.must(`${PATH}/update`, data);

const endpointsOf = async ({ apiKeyId }: TestWorkspace) => {
  const { deps } = await testApp();
  return await deps.db
    .selectFrom('webhookEndpoints as endpoint')
    .innerJoin('webhookLanes as lane', (join) =>
      join
        .onRef('lane.apiKeyId', '=', 'endpoint.apiKeyId')
        .onRef('lane.endpointId', '=', 'endpoint.endpointId'),
    )
    .select(['endpoint.endpointId', 'kind', 'url', 'disabled', 'disabledReason', 'failingSince'])
    .where('endpoint.apiKeyId', '=', apiKeyId)
    .orderBy('endpoint.endpointId')
    .execute();
};
const active = (kind: string, url: string) => ({
  endpointId: kind,
  kind,
  url,
  disabled: false,
  disabledReason: null,
  failingSince: null,
});

test('webhooks are off by default', async () => {
  const workspace = await newWorkspace();
  expect(await workspace.must(`${PATH}/get`)).toEqual({
    useWebhookService: false,
    webhookServiceConfig: nothing,
  });
  expect(await endpointsOf(workspace)).toEqual([]);
});

test('enabling webhooks without chosen events selects the usual ones', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post(`${PATH}/update`, {
    useWebhookService: true,
    webhookServiceConfig: { rawNotificationUrl: raw, triggers: { 'comment.add': false } },
  });
  expect(body.result.data).toEqual({
    useWebhookService: true,
    webhookServiceConfig: {
      ...nothing,
      rawNotificationUrl: raw,
      enableDataProtection: false,
      triggers: {
        'comment_annotation.add': true,
        'comment_annotation.update': true,
        'comment_annotation.delete': true,
        'comment_annotation.assign': true,
        'comment_annotation.status_change': true,
        'comment_annotation.priority_change': true,
        'comment.add': false,
        'comment.update': true,
        'comment.delete': true,
        'comment_annotation.suggestion_accept': false,
        'comment_annotation.suggestion_reject': false,
        'huddle.create': true,
        'huddle.join': true,
        'crdt.update_data': false,
        'recorder.done': false,
      },
    },
  });
  expect(await workspace.must(`${PATH}/get`)).toEqual(body.result.data);
  expect(await endpointsOf(workspace)).toEqual([active('raw', raw)]);
});

test('enabling webhooks keeps chosen events and omitted fields', async () => {
  const workspace = await newWorkspace();
  const settings = {
    processedNotificationUrl: processed,
    encodeData: true,
    encryptData: true,
    publicKey,
    enableDataProtection: true,
    triggers: { 'comment.add': true },
  };
  await update(workspace, { webhookServiceConfig: settings });
  expect(await endpointsOf(workspace)).toMatchObject([{ disabled: true, disabledReason: 'caller' }]);
  expect(await update(workspace, { useWebhookService: true })).toEqual({
    useWebhookService: true,
    webhookServiceConfig: { ...nothing, ...settings },
  });
  expect(await endpointsOf(workspace)).toEqual([active('processed', processed)]);
});

test('a token is never returned; redacted keeps it, empty removes it', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const stored = async () => {
    const row = await deps.db
      .selectFrom('serviceConfigs')
      .selectAll()
      .where('apiKeyId', '=', workspace.apiKeyId)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('canary');
    const binding = ['service_configs', workspace.apiKeyId, 'webhook'];
    return row.secretSealed && deps.keyring.open(row.secretSealed, binding);
  };
  const answer = await update(workspace, { webhookServiceConfig: { authToken: 'canary 1' } });
  expect(answer.webhookServiceConfig.authToken).toBe('__redacted__');
  expect(await stored()).toBe('canary 1');
  await update(workspace, { webhookServiceConfig: { ...answer.webhookServiceConfig, encodeData: true } });
  expect(await stored()).toBe('canary 1');
  const without = await update(workspace, { webhookServiceConfig: { authToken: '' } });
  expect([without.webhookServiceConfig.authToken, await stored()]).toEqual(['', null]);
});

test('endpoints follow the configured URLs, and their waiting deliveries are held', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const { apiKeyId } = workspace;
  await update(workspace, {
    useWebhookService: true,
    webhookServiceConfig: { rawNotificationUrl: raw, processedNotificationUrl: processed },
  });
  const wait = (messageId: string, endpointId: string) =>
    deps.db
      .insertInto('webhookDeliveries')
      .values({
        apiKeyId,
        messageId,
        endpointId,
        eventType: 'comment.add',
        seq: 1,
        orderKey: null,
        status: 'waiting',
        tries: 0,
        nextAt: 1,
        attempts: '[]' as never,
        createdAt: 1,
        finishedAt: null,
      })
      .execute();
  const statuses = async () => {
    const rows = await deps.db
      .selectFrom('webhookDeliveries')
      .select(['messageId', 'status'])
      .where('apiKeyId', '=', apiKeyId)
      .orderBy('messageId')
      .execute();
    return rows.map(({ messageId, status }) => `${messageId} ${status}`);
  };
  await wait('evt_1', 'raw');
  await wait('evt_2', 'processed');

  await update(workspace, { webhookServiceConfig: { rawNotificationUrl: '' } });
  expect(await endpointsOf(workspace)).toEqual([active('processed', processed)]);
  expect(await statuses()).toEqual(['evt_1 held', 'evt_2 waiting']);

  await update(workspace, { useWebhookService: false });
  expect(await endpointsOf(workspace)).toMatchObject([{ disabled: true, disabledReason: 'caller' }]);
  expect(await statuses()).toEqual(['evt_1 held', 'evt_2 held']);

  await update(workspace, { useWebhookService: true, webhookServiceConfig: { rawNotificationUrl: raw } });
  expect(await endpointsOf(workspace)).toEqual([active('processed', processed), active('raw', raw)]);
});

test('a disabled endpoint is enabled by another url, or by enabling webhooks again', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const { apiKeyId } = workspace;
  const config = { rawNotificationUrl: raw };
  await update(workspace, { useWebhookService: true, webhookServiceConfig: config });
  const disableFailing = async () => {
    await deps.db
      .updateTable('webhookEndpoints')
      .set({ disabled: true, disabledReason: 'failing' })
      .where('apiKeyId', '=', apiKeyId)
      .execute();
    await deps.db
      .updateTable('webhookLanes')
      .set({ failingSince: 1 })
      .where('apiKeyId', '=', apiKeyId)
      .execute();
  };
  await disableFailing();
  await update(workspace, { webhookServiceConfig: { ...config, encodeData: true } });
  expect(await endpointsOf(workspace)).toMatchObject([{ disabledReason: 'failing', failingSince: 1 }]);
  await update(workspace, { useWebhookService: true });
  expect(await endpointsOf(workspace)).toEqual([active('raw', raw)]);
  await disableFailing();
  await update(workspace, { webhookServiceConfig: { rawNotificationUrl: processed } });
  expect(await endpointsOf(workspace)).toEqual([active('raw', processed)]);
});

test('an update without a change, and one with an address or token of another form, have the same refusal', async () => {
  const workspace = await newWorkspace();
  for (const data of [
    {},
    { other: 1 },
    { webhookServiceConfig: { rawNotificationUrl: 'not a url' } },
    { webhookServiceConfig: { processedNotificationUrl: 'ftp://example.com' } },
    { webhookServiceConfig: { authToken: 'a\r\nx-forged: 1' } },
    { webhookServiceConfig: { authToken: 'ключ' } },
  ])
    expect((await workspace.post(`${PATH}/update`, data)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'Invalid webhook service configuration.',
    });
});

test('addresses within the network, and what is no key, are refused with the reason', async () => {
  const workspace = await newWorkspace();
  for (const [webhookServiceConfig, message] of [
    [
      { rawNotificationUrl: 'http://10.0.0.1/' },
      'webhookServiceConfig.rawNotificationUrl leads to an address that is not allowed: internal, loopback and link-local hosts are refused.',
    ],
    [
      { processedNotificationUrl: 'https://a:b@example.com/' },
      'webhookServiceConfig.processedNotificationUrl must not contain a user name or password.',
    ],
    [{ publicKey: 'abc' }, 'publicKey must be an RSA public key'],
  ] as const)
    expect((await workspace.post(`${PATH}/update`, { webhookServiceConfig })).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
      details: { issues: [{ path: ['webhookServiceConfig', Object.keys(webhookServiceConfig)[0]] }] },
    });
  expect(await workspace.must(`${PATH}/get`)).toMatchObject({ webhookServiceConfig: nothing });
});

test('concurrent changes are all kept', async () => {
  const workspace = await newWorkspace();
  await Promise.all([
    update(workspace, { webhookServiceConfig: { rawNotificationUrl: raw } }),
    update(workspace, { webhookServiceConfig: { processedNotificationUrl: processed } }),
    update(workspace, { useWebhookService: true }),
  ]);
  expect(await endpointsOf(workspace)).toEqual([active('processed', processed), active('raw', raw)]);
});

test('settings that are sent with a new key are applied and validated', async () => {
  const workspace = await newWorkspace();
  const createKeyWith = (webhookServiceConfig: object) =>
    workspace.postAsWorkspace('/v2/workspace/apikey/create', {
      ownerEmail: 'rob@example.com',
      type: 'testing',
      useWebhookService: true,
      webhookServiceConfig,
    });
  const created = await createKeyWith({ authToken: 'canary', processedNotificationUrl: processed });
  const { apiKey } = created.body.result.data;
  const shown = await workspace.postAsWorkspace('/v2/workspace/authtokens/get', { apiKey });
  const [{ token }] = shown.body.result.data.authTokens;
  const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': token };
  const { body } = await workspace.post(`${PATH}/get`, {}, headers);
  expect(body.result.data).toMatchObject({
    useWebhookService: true,
    webhookServiceConfig: {
      authToken: '__redacted__',
      processedNotificationUrl: processed,
      triggers: { 'comment.add': true, 'recorder.done': false },
    },
  });
  expect(await endpointsOf({ ...workspace, apiKeyId: apiKey })).toEqual([active('processed', processed)]);

  const refused = await createKeyWith({ rawNotificationUrl: 'http://10.0.0.1/' });
  expect(refused.body.error.message).toContain('internal, loopback and link-local hosts are refused');
  const bad = await createKeyWith({ rawNotificationUrl: 'nowhere' });
  expect(bad.body.error.message).toBe('Invalid webhook service configuration.');
});
