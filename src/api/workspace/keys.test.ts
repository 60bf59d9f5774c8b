import { expect, test } from 'vitest';
import { signIn } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';
import { setWorkspacePlan } from '../../store/platform/workspaces.ts';

test('get returns what create returned', async () => {
  const workspace = await newWorkspace();
  const { status, body } = await workspace.postAsWorkspace('/v2/workspace/get');
  expect(status).toBe(200);
  expect(body.result.data).toMatchObject({
    id: workspace.workspaceId,
    authToken: workspace.authToken,
    owner: { email: workspace.email },
    apiKeyList: { [workspace.apiKeyId]: { id: workspace.apiKeyId, type: 'testing' } },
  });
});

test('a reset token is valid at once, and the old one is not', async () => {
  const workspace = await newWorkspace();
  expect((await workspace.post('/v2/workspace/domains/get')).status).toBe(200);
  const { body } = await workspace.postAsWorkspace('/v2/workspace/authtoken/reset', {
    apiKey: workspace.apiKeyId,
  });
  expect(body.result.data).toMatchObject({
    apiKey: workspace.apiKeyId,
    newAuthToken: { name: 'Default Auth Token', domains: [] },
  });
  expect((await workspace.post('/v2/workspace/domains/get')).body.error.status).toBe('UNAUTHENTICATED');
  const renewed = { ...workspace.keyHeaders, 'x-service-auth-token': body.result.data.newAuthToken.token };
  expect((await send('/v2/workspace/domains/get', { data: {} }, renewed)).status).toBe(200);
  const listed = await workspace.postAsWorkspace('/v2/workspace/authtokens/get', {
    apiKey: workspace.apiKeyId,
  });
  expect(listed.body.result.data).toEqual({
    apiKey: workspace.apiKeyId,
    authTokens: [body.result.data.newAuthToken],
  });
});

test('concurrent resets leave one token', async () => {
  const workspace = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 6 }, () =>
      workspace.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: workspace.apiKeyId }),
    ),
  );
  expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(200));
  const listed = await workspace.postAsWorkspace('/v2/workspace/authtokens/get', {
    apiKey: workspace.apiKeyId,
  });
  expect(listed.body.result.data.authTokens).toHaveLength(1);
});

test('an unknown key is not found', async () => {
  const workspace = await newWorkspace();
  for (const operation of ['authtoken/reset', 'authtokens/get', 'apikey/update']) {
    const data = { apiKey: 'key_none', apiKeyName: 'x' };
    const { status, body } = await workspace.postAsWorkspace(`/v2/workspace/${operation}`, data);
    expect([status, body.error]).toEqual([404, { status: 'NOT_FOUND', message: 'API key not found.' }]);
  }
});

test('a new key has its own token and name, and no data of the other key', async () => {
  const workspace = await newWorkspace();
  const created = await workspace.postAsWorkspace('/v2/workspace/apikey/create', {
    ownerEmail: 'rob@example.com',
    type: 'testing',
    allowedDomains: ['https://www.Example.com/path'],
    addLocalHostToAllowedDomains: true,
  });
  const { apiKey } = created.body.result.data;
  expect(Object.keys(created.body.result.data)).toEqual(['apiKey']);
  const tokens = await workspace.postAsWorkspace('/v2/workspace/authtokens/get', { apiKey });
  const headers = {
    'x-service-api-key': apiKey,
    'x-service-auth-token': tokens.body.result.data.authTokens[0].token,
  };
  const domains = await send('/v2/workspace/domains/get', {}, headers);
  expect(domains.body.result.data.allowedDomains).toEqual(['example.com', 'localhost', '127.0.0.1']);

  const renamed = await workspace.postAsWorkspace('/v2/workspace/apikey/update', {
    apiKey,
    apiKeyName: 'Staging',
  });
  expect(renamed.body.result.data).toEqual(null);
  const keys = await send('/v2/workspace/apikeys/get', {}, workspace.workspaceHeaders);
  expect(keys.body.result.data).toEqual([
    expect.objectContaining({ id: workspace.apiKeyId, type: 'testing' }),
    { id: apiKey, apiKeyName: 'Staging', type: 'testing' },
  ]);
  expect(keys.body.result).not.toHaveProperty('nextPageToken');
});

test('a production key requires a paid plan', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const createKey = () =>
    workspace.postAsWorkspace('/v2/workspace/apikey/create', {
      ownerEmail: 'rob@example.com',
      type: 'production',
    });
  expect((await createKey()).body.error.status).toBe('FAILED_PRECONDITION');
  await deps.db.transaction().execute((tx) => setWorkspacePlan(tx, workspace.workspaceId, 'paid'));
  expect((await createKey()).status).toBe(200);
});

test('keys are listed page by page, and a token that is none is refused', async () => {
  const workspace = await newWorkspace();
  for (const apiKeyName of ['b', 'c']) {
    await workspace.postAsWorkspace('/v2/workspace/apikey/create', {
      ownerEmail: 'rob@example.com',
      type: 'testing',
      apiKeyName,
    });
  }
  const first = await workspace.postAsWorkspace('/v2/workspace/apikeys/get', { pageSize: 2 });
  const { data, nextPageToken } = first.body.result;
  const second = await workspace.postAsWorkspace('/v2/workspace/apikeys/get', {
    pageSize: 2,
    pageToken: nextPageToken,
  });
  expect([...data, ...second.body.result.data].map((key) => key.apiKeyName)).toEqual([
    expect.stringContaining('Test API Key'),
    'b',
    'c',
  ]);
  expect(second.body.result).not.toHaveProperty('nextPageToken');
  const refused = await workspace.postAsWorkspace('/v2/workspace/apikeys/get', { pageToken: 'x' });
  expect(refused.body.error.status).toBe('INVALID_ARGUMENT');
});

test('apikey/create reports all missing and invalid fields at once', async () => {
  const workspace = await newWorkspace();
  const { status, body } = await workspace.postAsWorkspace('/v2/workspace/apikey/create', {
    type: 'gold',
    persistenceDBRegion: '',
    allowedDomains: ['not a domain'],
  });
  expect(status).toBe(400);
  expect(body.error.message).toContain('ownerEmail is required.');
  expect(body.error.message).toContain('persistenceDBRegion is not a supported region.');
  expect(body.error.details.issues.map((issue: { path: string[] }) => issue.path[0]).sort()).toEqual([
    'allowedDomains',
    'ownerEmail',
    'persistenceDBRegion',
    'type',
  ]);
});

test('secrets that are sent with a key are stored only sealed', async () => {
  const workspace = await newWorkspace();
  await workspace.postAsWorkspace('/v2/workspace/apikey/create', {
    ownerEmail: 'rob@example.com',
    type: 'testing',
    emailServiceConfig: { type: 'sendgrid', apiKey: 'canary-mail-secret' },
    webhookServiceConfig: { authToken: 'canary-hook-secret', rawNotificationUrl: 'https://example.com/hook' },
  });
  const { deps } = await testApp();
  const keys = await deps.db
    .selectFrom('apiKeys')
    .selectAll()
    .where('workspaceId', '=', workspace.workspaceId)
    .execute();
  const services = await deps.db
    .selectFrom('serviceConfigs')
    .selectAll()
    .where(
      'apiKeyId',
      'in',
      keys.map(({ apiKeyId }) => apiKeyId),
    )
    .execute();
  expect(services.map(({ service, secretSealed }) => [service, secretSealed?.slice(0, 3)]).sort()).toEqual([
    ['email', 'v1.'],
    ['webhook', 'v1.'],
  ]);
  expect(JSON.stringify([keys, services])).not.toContain('canary');
});

test('a workspace token that is reset opens nothing more, nor do the sign-ins that it made', async () => {
  const workspace = await newWorkspace();
  const { workspaceId } = workspace;
  const [asking, another] = [await signIn(workspace), await signIn(workspace)];
  const { session: owner } = await addMember(workspace, 'owner');
  const made = await another.post('/v2/tokens/create', { name: 'kept', scopes: ['read'] });
  const byToken = { authorization: `Bearer ${made.body.result.data.token}` };
  const statuses = async () => [
    (await workspace.postAsWorkspace('/v2/workspace/get')).status,
    (await another.post('/v2/agents/get')).status,
    (await send('/v2/agents/get', { data: {} }, byToken)).status,
    (await asking.post('/v2/agents/get')).status,
    (await owner.post('/v2/agents/get')).status,
    (await workspace.post('/v2/agents/get')).status,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  const { body } = await asking.postAsWorkspace('/v2/workspace/token/reset');
  const { id, newAuthToken } = body.result.data;
  expect([id, newAuthToken]).toEqual([workspaceId, expect.stringMatching(/^wsat_[\w-]{43}$/)]);
  expect(await statuses()).toEqual([401, 401, 401, 200, 200, 200]);
  const renewed = { ...workspace.workspaceHeaders, 'x-service-workspace-auth-token': newAuthToken };
  const got = await send('/v2/workspace/get', { data: {} }, renewed);
  expect(got.body.result.data.authToken).toBe(newAuthToken);
  const old = { workspaceId, workspaceAuthToken: workspace.authToken };
  expect((await send('/v2/session/start', { data: old })).status).toBe(401);
  await signIn(workspace, { workspaceId, workspaceAuthToken: newAuthToken });
  expect((await send('/v2/workspace/token/reset', { data: {} }, renewed)).status).toBe(200);
  expect((await asking.post('/v2/agents/get')).status).toBe(401);
});

test('a workspace is renamed, but not to the name of another one of its owner', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const { workspaceId, email: ownerEmail } = workspace;
  await deps.db.transaction().execute((tx) => setWorkspacePlan(tx, workspaceId, 'paid'));
  await send('/v2/workspace/create', { data: { ownerEmail, workspaceName: 'Taken' } });
  const rename = (name: string) => workspace.postAsWorkspace('/v2/workspace/update', { name });
  expect((await rename('Mine')).body.result.data).toEqual({ id: workspaceId, name: 'Mine' });
  expect((await workspace.postAsWorkspace('/v2/workspace/get')).body.result.data.name).toBe('Mine');
  expect((await rename('Mine')).status).toBe(200);
  expect((await rename('Taken')).body.error.status).toBe('ALREADY_EXISTS');
  expect((await rename(' ')).body.error.status).toBe('INVALID_ARGUMENT');
});
