import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../../../test/service/harness.ts';
import { openSigningSecrets } from '../../../../../store/webhooks/endpoints.ts';

const PATH = '/v2/workspace/advancedwebhook/endpoints';
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`;

async function endpoint() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const { id: endpointId } = await workspace.must(`${PATH}/create`, { url: 'https://example.com/hook' });
  return { workspace, endpointId };
}

const rowOf = async ({ apiKeyId }: TestWorkspace) => {
  const { deps } = await testApp();
  return await deps.db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirstOrThrow();
};

const signing = async (workspace: TestWorkspace, now: number) => {
  const { deps } = await testApp();
  return openSigningSecrets(deps.keyring, await rowOf(workspace), now);
};

const getSecret = async (workspace: TestWorkspace, endpointId: string): Promise<string> =>
  (await workspace.must(`${PATH}/secret/get`, { endpointId })).secret;

test('each endpoint has a random secret of 24 bytes, which is stored sealed', async () => {
  const { workspace, endpointId } = await endpoint();
  const { body } = await workspace.post(`${PATH}/secret/get`, { endpointId });
  expect(body.result.data).toEqual({
    endpointId,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
  });
  const { secret } = body.result.data;
  expect(JSON.stringify(await rowOf(workspace))).not.toContain(secret);
  const other = await endpoint();
  expect(await getSecret(other.workspace, other.endpointId)).not.toBe(secret);
});

test('a sealed secret opens only in its own row and column', async () => {
  const { workspace } = await endpoint();
  const { deps } = await testApp();
  const row = await rowOf(workspace);
  expect(() => openSigningSecrets(deps.keyring, { ...row, endpointId: 'ep_other' }, 0)).toThrow();
  const moved = { ...row, previousSecretSealed: row.secretSealed, previousSecretUntil: 1 };
  expect(() => openSigningSecrets(deps.keyring, moved, 0)).toThrow();
});

test('after a rotation both secrets sign, until the grace period of the earlier one ends', async () => {
  const { workspace, endpointId } = await endpoint();
  const old = await getSecret(workspace, endpointId);
  const begun = Date.now();
  const { body } = await workspace.post(`${PATH}/secret/rotate`, { endpointId, gracePeriodSeconds: 60 });
  const { secret, previousSecretExpiresAt } = body.result.data;
  const until = Date.parse(previousSecretExpiresAt);
  expect(until).toBeGreaterThanOrEqual(begun + 60_000);
  expect(until).toBeLessThanOrEqual(Date.now() + 60_000);
  expect(secret).not.toBe(old);
  expect(await getSecret(workspace, endpointId)).toBe(secret);
  expect(await signing(workspace, until - 1)).toEqual([secret, old]);
  expect(await signing(workspace, until)).toEqual([secret]);
});

test('the grace period is a day by default, and can be none', async () => {
  const { workspace, endpointId } = await endpoint();
  const first = await workspace.must(`${PATH}/secret/rotate`, { endpointId });
  const left = Date.parse(first.previousSecretExpiresAt) - Date.now();
  expect(left).toBeGreaterThan(86_390_000);
  expect(left).toBeLessThanOrEqual(86_400_000);
  const second = await workspace.must(`${PATH}/secret/rotate`, { endpointId, gracePeriodSeconds: 0 });
  expect(second.previousSecretExpiresAt).toBeNull();
  expect(await signing(workspace, Date.now())).toEqual([second.secret]);
  expect(await rowOf(workspace)).toMatchObject({ previousSecretSealed: null, previousSecretUntil: null });
});

test('a custom secret is accepted, and sending it again changes nothing', async () => {
  const { workspace, endpointId } = await endpoint();
  const old = await getSecret(workspace, endpointId);
  const secret = secretOf(64);
  const first = await workspace.must(`${PATH}/secret/rotate`, { endpointId, secret });
  const again = await workspace.must(`${PATH}/secret/rotate`, { endpointId, secret });
  expect(first.secret).toBe(secret);
  expect(again).toEqual(first);
  expect(await signing(workspace, Date.now())).toEqual([secret, old]);
});

test('a secret of another form is refused, and not repeated', async () => {
  const { workspace, endpointId } = await endpoint();
  const old = await getSecret(workspace, endpointId);
  for (const secret of [
    'whsec_',
    secretOf(23),
    secretOf(65),
    secretOf(24).slice('whsec_'.length),
    `${secretOf(24)}!`,
    ` ${secretOf(24)}`,
    `whsec_${Buffer.alloc(24, 255).toString('base64url')}`,
  ]) {
    const { body } = await workspace.post(`${PATH}/secret/rotate`, { endpointId, secret });
    expect(body.error.status).toBe('INVALID_ARGUMENT');
    expect(body.error.message).toMatch(/^secret must /);
    if (secret !== 'whsec_') expect(JSON.stringify(body)).not.toContain(secret);
  }
  expect(await getSecret(workspace, endpointId)).toBe(old);
});
