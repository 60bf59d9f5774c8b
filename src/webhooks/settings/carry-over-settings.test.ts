import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { json } from '../../db/sql-fragments.ts';
import { sealInConfig } from '../../store/platform/stored-key-config.ts';
import { carryOverWebhookSettings } from './carry-over-settings.ts';

const url = 'https://example.com/hook';

async function early(
  workspace: TestWorkspace,
  token: string,
  { useWebhookService = true, rawNotificationUrl = url } = {},
): Promise<void> {
  const { deps } = await testApp();
  const { apiKeyId } = workspace;
  const authToken = sealInConfig(deps.keyring, apiKeyId, 'webhookServiceConfig.authToken', token);
  const config = {
    enablePrivateComments: true,
    useWebhookService,
    webhookServiceConfig: { authToken, rawNotificationUrl },
  };
  await deps.db
    .updateTable('apiKeys')
    .set({ config: json(config) })
    .where('apiKeyId', '=', apiKeyId)
    .execute();
}

const configOf = async ({ apiKeyId }: TestWorkspace) => {
  const { deps } = await testApp();
  const { db } = deps;
  const { config } = await db
    .selectFrom('apiKeys')
    .select('config')
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirstOrThrow();
  const service = await db
    .selectFrom('serviceConfigs')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('service', '=', 'webhook')
    .executeTakeFirst();
  const endpoints = await db
    .selectFrom('webhookEndpoints')
    .select(['endpointId', 'url', 'disabled'])
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  return { config, service, endpoints };
};

test('settings that were stored with a key are moved, with the default triggers', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  await early(workspace, 's3cret');
  expect(await carryOverWebhookSettings(deps.db, deps.keyring)).toBeGreaterThanOrEqual(1);
  const { config, service, endpoints } = await configOf(workspace);
  expect(config).toEqual({ enablePrivateComments: true });
  const binding = ['service_configs', workspace.apiKeyId, 'webhook'];
  expect(deps.keyring.open(service!.secretSealed!, binding)).toBe('s3cret');
  expect(endpoints).toEqual([{ endpointId: 'raw', url, disabled: false }]);
  expect(await workspace.must('/v2/workspace/webhookconfig/get')).toMatchObject({
    useWebhookService: true,
    webhookServiceConfig: { rawNotificationUrl: url, triggers: { 'comment.add': true } },
  });
  expect(await carryOverWebhookSettings(deps.db, deps.keyring)).toBe(0);
});

test('settings that were configured since take precedence', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const webhookServiceConfig = { authToken: 'new', rawNotificationUrl: `${url}/new` };
  await workspace.must('/v2/workspace/webhookconfig/update', { webhookServiceConfig });
  const before = await configOf(workspace);
  await early(workspace, 'old');
  await carryOverWebhookSettings(deps.db, deps.keyring);
  expect(await configOf(workspace)).toEqual({ ...before, config: { enablePrivateComments: true } });
});

test('a token or URL that is no longer valid is left behind', async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  const { deps } = await testApp();
  await early(one, 'a\r\nb');
  await early(other, 'fine', { rawNotificationUrl: `${url}/${'x'.repeat(2_000)}` });
  await carryOverWebhookSettings(deps.db, deps.keyring);
  const [withoutToken, withoutUrl] = [await configOf(one), await configOf(other)];
  expect(withoutToken.service?.secretSealed).toBeNull();
  expect(withoutToken.endpoints).toHaveLength(1);
  expect(withoutUrl.service?.secretSealed).not.toBeNull();
  expect(withoutUrl.endpoints).toEqual([]);
});

test('disabled webhooks stay disabled, and two concurrent processes move settings once', async () => {
  const workspaces = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
  const { deps } = await testApp();
  for (const workspace of workspaces) await early(workspace, 'x', { useWebhookService: false });
  const counts = await Promise.all([1, 2].map(() => carryOverWebhookSettings(deps.db, deps.keyring)));
  expect(counts[0]! + counts[1]!).toBe(3);
  for (const workspace of workspaces) {
    expect((await configOf(workspace)).endpoints).toEqual([{ endpointId: 'raw', url, disabled: true }]);
  }
});
