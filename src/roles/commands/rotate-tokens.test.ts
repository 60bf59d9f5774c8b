import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { until } from '../../../test/run/until.ts';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import { hashToken } from '../../lib/crypto.ts';
import { pruneTokens } from '../../store/keys/token-rotation.ts';
import { openSigningSecrets, requireEndpoint } from '../../store/webhooks/endpoints.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { runCommand } from './commands.ts';
import { readDuration } from './rotate-tokens.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const HOUR_MS = 3_600_000;

/** Runs a command beside the service of the tests. */
const run = async (...words: string[]): Promise<Outcome> => {
  const { deps } = await testApp();
  const env = { DATABASE_URL: process.env.DATABASE_URL!, REDPEN_MASTER_KEY: MASTER_KEY };
  return await runCommand(words, () => ({ config: readConfig(env), log: deps.log, onProgress: () => {} }));
};

/** Runs a command that prints JSON. */
const runForJson = async (...words: string[]) => {
  const { exitCode, output } = await run(...words, '--json');
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^[{[]/)]);
  return JSON.parse(output);
};

const statusWith = async ({ apiKeyId }: TestWorkspace, token: string): Promise<number> => {
  const headers = { 'x-service-api-key': apiKeyId, 'x-service-auth-token': token };
  return (await send('/v2/workspace/apikeyconfig/get', { data: {} }, headers)).status;
};

/** Lets a replaced token expire now, as after its grace period. */
async function expire({ apiKeyId }: TestWorkspace, token: string, at: number): Promise<void> {
  const { deps, authenticator } = await testApp();
  await deps.db
    .updateTable('apiKeyTokens')
    .set({ expiresAt: at })
    .where('apiKeyId', '=', apiKeyId)
    .where('tokenHash', '=', hashToken(token))
    .execute();
  authenticator.forget(apiKeyId);
}

test.each([
  ['0s', 0],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['366d', undefined],
  ['7', undefined],
  ['-1d', undefined],
  ['1.5h', undefined],
  ['', undefined],
])('the duration %j', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test('a token of an API key is replaced with an overlap, and user tokens outlive it', async () => {
  const workspace = await newWorkspace();
  const { apiKeyId, token: earlier } = workspace;
  const { token: userToken } = await newUserToken(workspace, { resources: [] });
  const made = await runForJson('key', 'rotate', apiKeyId);
  expect(made).toMatchObject({ REDPEN_API_KEY: apiKeyId });
  expect([await statusWith(workspace, earlier), await statusWith(workspace, made.REDPEN_AUTH_TOKEN)]).toEqual(
    [200, 200],
  );
  // What prints or uses one token takes the one that stays.
  expect((await runForJson('key', 'token', apiKeyId)).REDPEN_AUTH_TOKEN).toBe(made.REDPEN_AUTH_TOKEN);
  const listed = await workspace.postAsWorkspace('/v2/workspace/authtokens/get', { apiKey: apiKeyId });
  expect(listed.body.result.data.authTokens.map(({ token }: { token: string }) => token)).toEqual([
    earlier,
    made.REDPEN_AUTH_TOKEN,
  ]);
  const table = (await run('key', 'tokens', apiKeyId)).output.split('\n');
  expect(table[0]).toMatch(/^CREATED +LAST USED +EXPIRES +NAME$/);
  expect(table[1]).toMatch(/UTC +\d{4}-.+UTC +\d{4}-.+UTC +\S/);
  expect(table[2]).toMatch(/UTC +\d{4}-.+UTC +never +\S/);
  expect(table.join('\n')).not.toContain('akt_');

  const now = Date.now();
  await expire(workspace, earlier, now - 1);
  expect([await statusWith(workspace, earlier), await statusWith(workspace, made.REDPEN_AUTH_TOKEN)]).toEqual(
    [401, 200],
  );
  const asUser = { authorization: `Bearer ${userToken}` };
  const ofUser = () => send('/v2/notifications/get', { data: {} }, asUser).then(({ status }) => status);
  expect(await ofUser()).not.toBe(401);
  // Its row goes once no user token that it made can be valid.
  const { deps, authenticator } = await testApp();
  await pruneTokens(deps.db, now + 48 * HOUR_MS);
  authenticator.forget(apiKeyId);
  expect(await ofUser()).not.toBe(401);
  await pruneTokens(deps.db, now + 50 * HOUR_MS);
  authenticator.forget(apiKeyId);
  expect(await ofUser()).toBe(401);
});

test('without a grace period, the earlier token ends at once', async () => {
  const workspace = await newWorkspace();
  const { apiKeyId, token, workspaceId, authToken } = workspace;
  const { deps } = await testApp();
  const revoked: string[] = [];
  const stop = await deps.database.listen(
    'redpen_auth',
    (id) => revoked.push(id),
    () => {},
  );
  await runForJson('key', 'rotate', apiKeyId, '--grace', '0s');
  await runForJson('workspace', 'rotate-token', workspaceId, '--grace', '0s');
  await until(() => [apiKeyId, workspaceId].every((id) => revoked.includes(id)), 'both revocations');
  await stop();
  await until(async () => (await statusWith(workspace, token)) === 401, 'the end of the token of the key');
  const ofWorkspace = { 'x-service-workspace-id': workspaceId, 'x-service-workspace-auth-token': authToken };
  await until(
    async () => (await send('/v2/workspace/get', { data: {} }, ofWorkspace)).status === 401,
    'the end of the token of the workspace',
  );
});

test('a token that a setting restores is not replaced', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const env = {
    DATABASE_URL: process.env.DATABASE_URL!,
    REDPEN_MASTER_KEY: MASTER_KEY,
    REDPEN_INIT_EMAIL: 'ada@example.com',
    REDPEN_INIT_AUTH_TOKEN: workspace.token,
  };
  const rotate = () =>
    runCommand(['key', 'rotate', workspace.apiKeyId], () => ({
      config: readConfig(env),
      log: deps.log,
      onProgress: () => {},
    }));
  expect(await rotate()).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining(
      'REDPEN_INIT_AUTH_TOKEN sets this token: change the setting and restart instead.',
    ),
  });
  expect(await statusWith(workspace, workspace.token)).toBe(200);
});

test('with several tokens, the name chooses, and a second rotation replaces the newest', async () => {
  const workspace = await newWorkspace();
  const { apiKeyId } = workspace;
  const first = await runForJson('key', 'rotate', apiKeyId, '--grace', '1h');
  const second = await runForJson('key', 'rotate', apiKeyId, '--grace', '1h');
  for (const token of [workspace.token, first.REDPEN_AUTH_TOKEN, second.REDPEN_AUTH_TOKEN])
    expect(await statusWith(workspace, token)).toBe(200);
  expect(await run('key', 'rotate', apiKeyId, '--token-name', 'none')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('has no token of the name none'),
  });
  expect(await run('key', 'rotate', 'key_none')).toMatchObject({ exitCode: 1 });
  expect(await run('key', 'rotate', apiKeyId, '--grace', 'soon')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('It must be a duration'),
  });
  // A reset is for leaks: it ends every one of them.
  const reset = await runForJson('key', 'reset', apiKeyId);
  const { authenticator } = await testApp();
  authenticator.forget(apiKeyId);
  for (const token of [workspace.token, first.REDPEN_AUTH_TOKEN, second.REDPEN_AUTH_TOKEN])
    expect(await statusWith(workspace, token)).toBe(401);
  expect(await statusWith(workspace, reset.REDPEN_AUTH_TOKEN)).toBe(200);
});

test('the token of a workspace is replaced with an overlap, and a reset ends both', async () => {
  const workspace = await newWorkspace();
  const { workspaceId, authToken } = workspace;
  const statusOf = async (token: string): Promise<number> => {
    const headers = { 'x-service-workspace-id': workspaceId, 'x-service-workspace-auth-token': token };
    return (await send('/v2/workspace/get', { data: {} }, headers)).status;
  };
  const made = await runForJson('workspace', 'rotate-token', workspaceId, '--grace', '1h');
  const next = made.REDPEN_WORKSPACE_TOKEN;
  expect([await statusOf(authToken), await statusOf(next)]).toEqual([200, 200]);
  const { deps, authenticator } = await testApp();
  await deps.db
    .updateTable('workspaces')
    .set({ previousTokenUntil: Date.now() - 1 })
    .where('workspaceId', '=', workspaceId)
    .execute();
  authenticator.forget(workspaceId);
  expect([await statusOf(authToken), await statusOf(next)]).toEqual([401, 200]);
  await run('workspace', 'rotate-token', workspaceId);
  const headers = { 'x-service-workspace-id': workspaceId, 'x-service-workspace-auth-token': next };
  expect((await send('/v2/workspace/token/reset', { data: {} }, headers)).status).toBe(200);
  expect(await statusOf(next)).toBe(401);
});

test('the secret of a webhook endpoint is replaced with an overlap, and listed by age', async () => {
  const workspace = await newWorkspace();
  const { apiKeyId, workspaceId } = workspace;
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const hooks = '/v2/workspace/advancedwebhook/endpoints';
  const { id } = await workspace.must(`${hooks}/create`, { url: 'https://hooks.example.com/a?key=hunter2' });
  const { secret: earlier } = await workspace.must(`${hooks}/secret/get`, { endpointId: id });
  const made = await runForJson('webhook', 'rotate-secret', apiKeyId, id, '--grace', '2h');
  expect(made).toMatchObject({ apiKeyId, endpointId: id, secret: expect.stringMatching(/^whsec_/) });
  const { deps } = await testApp();
  const endpoint = await requireEndpoint(deps.db, { apiKeyId, workspaceId }, id);
  expect(openSigningSecrets(deps.keyring, endpoint, Date.now())).toEqual([made.secret, earlier]);
  expect(await runForJson('webhook', 'list', apiKeyId)).toEqual([
    { apiKeyId, endpointId: id, url: 'https://hooks.example.com/a', secretAt: expect.any(Number) },
  ]);
  expect(await runForJson('webhook', 'list', apiKeyId, '--older-than', '1d')).toEqual([]);
  await deps.db
    .updateTable('webhookEndpoints')
    .set({ secretAt: Date.now() - 48 * HOUR_MS })
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  expect(await runForJson('webhook', 'list', apiKeyId, '--older-than', '1d')).toHaveLength(1);
  expect(await run('webhook', 'rotate-secret', apiKeyId, 'ep_none')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('has no endpoint ep_none'),
  });
  expect(await run('webhook', 'rotate-secret', apiKeyId, id, '--grace', '8d')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('up to 7d'),
  });
});

test('while credentials rotate, requests with the earlier and the next ones are answered', async () => {
  const workspace = await newWorkspace();
  const { apiKeyId } = workspace;
  let token = workspace.token;
  let isOver = false;
  let answered = 0;
  const work = async () => {
    while (!isOver) {
      expect(await statusWith(workspace, token)).toBe(200);
      answered += 1;
    }
  };
  const working = Promise.all([work(), work()]);
  for (let round = 0; round < 3; round += 1) {
    const before = answered;
    // The client takes the new token up late.
    const next = (await runForJson('key', 'rotate', apiKeyId)).REDPEN_AUTH_TOKEN;
    await until(() => answered > before + 5, 'requests with the earlier token');
    token = next;
    await until(() => answered > before + 10, 'requests with the next token');
  }
  isOver = true;
  await working;
  expect((await run('key', 'tokens', apiKeyId)).output.trim().split('\n')).toHaveLength(5);
});
