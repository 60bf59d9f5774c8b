import { pino } from 'pino';
import { expect, test } from 'vitest';
import { send, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import { randomId } from '../../lib/ids.ts';
import { findApiKey, listApiKeysOf, listTokens, tokenBinding } from '../../store/platform/api-keys.ts';
import { listWorkspacesOf } from '../../store/platform/workspaces.ts';
import { initWorkspace, readInitialWorkspace } from './init-workspace.ts';

async function init(env: Record<string, string>) {
  const { deps } = await testApp();
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await initWorkspace(deps.db, deps.keyring, readInitialWorkspace(readConfig(env))!, log);
  return lines;
}

const newEmail = () => `init.${randomId(10).toLowerCase()}@acme.dev`;
const newToken = () => randomId(40);
const accepts = async (apiKey: string, token: string): Promise<boolean> =>
  (
    await send(
      '/v2/workspace/apikeyconfig/get',
      { data: {} },
      { 'x-service-api-key': apiKey, 'x-service-auth-token': token },
    )
  ).status === 200;

test('concurrent starts create one workspace, with the key and token of the settings', async () => {
  const { deps } = await testApp();
  const email = newEmail();
  const [key, token] = [`given-${randomId(8)}`, newToken()];
  const env = {
    REDPEN_INIT_EMAIL: email,
    REDPEN_INIT_WORKSPACE: 'Acme',
    REDPEN_INIT_API_KEY: key,
    REDPEN_INIT_AUTH_TOKEN: token,
  };
  const logs = await Promise.all(Array.from({ length: 6 }, () => init(env)));
  const workspaces = await listWorkspacesOf(deps.db, email);
  expect(workspaces.map(({ name }) => name)).toEqual(['Acme']);
  expect((await listApiKeysOf(deps.db, workspaces[0]!.workspaceId)).map(({ apiKeyId }) => apiKeyId)).toEqual([
    key,
  ]);
  expect(await listTokens(deps.db, key)).toHaveLength(1);
  expect(await accepts(key, token)).toBe(true);
  expect(logs.flat()).toHaveLength(1);
  expect(logs.flat().join()).toContain('created the workspace of REDPEN_INIT_EMAIL');
  expect(logs.flat().join()).not.toContain(token);
});

test('another token in the settings replaces the earlier one, with a line in the log', async () => {
  const key = `given-${randomId(8)}`;
  const env = { REDPEN_INIT_EMAIL: newEmail(), REDPEN_INIT_API_KEY: key };
  const [first, second] = [newToken(), newToken()];
  await init({ ...env, REDPEN_INIT_AUTH_TOKEN: first });
  expect(await accepts(key, first)).toBe(true);
  const lines = await init({ ...env, REDPEN_INIT_AUTH_TOKEN: second });
  expect(lines.join()).toContain('the earlier token is no longer valid');
  expect(lines.join()).not.toContain(second);
  expect(await accepts(key, second)).toBe(true);
  await expect.poll(() => accepts(key, first), { timeout: 300_000 }).toBe(false);
  // Without the setting, the token stays.
  expect(await init(env)).toEqual([]);
  expect(await accepts(key, second)).toBe(true);
});

test('without key and token in the settings both are generated, and kept at later starts', async () => {
  const { deps } = await testApp();
  const email = newEmail();
  await init({ REDPEN_INIT_EMAIL: email });
  const [workspace] = await listWorkspacesOf(deps.db, email);
  const [key] = await listApiKeysOf(deps.db, workspace!.workspaceId);
  const [tokenRow] = await listTokens(deps.db, key!.apiKeyId);
  expect(await init({ REDPEN_INIT_EMAIL: email.toUpperCase() })).toEqual([]);
  expect(await listTokens(deps.db, key!.apiKeyId)).toEqual([tokenRow]);
  const token = deps.keyring.open(tokenRow!.tokenSealed, tokenBinding(key!.apiKeyId, tokenRow!.tokenHash));
  expect(await accepts(key!.apiKeyId, token)).toBe(true);
});

test('a key is added to an existing workspace', async () => {
  const { deps } = await testApp();
  const email = newEmail();
  await init({ REDPEN_INIT_EMAIL: email });
  const [key, token] = [`given-${randomId(8)}`, newToken()];
  const env = { REDPEN_INIT_EMAIL: email, REDPEN_INIT_API_KEY: key, REDPEN_INIT_AUTH_TOKEN: token };
  expect((await init(env)).join()).toContain('created the API key of REDPEN_INIT_API_KEY');
  const [workspace] = await listWorkspacesOf(deps.db, email);
  expect(await findApiKey(deps.db, key)).toMatchObject({
    workspaceId: workspace!.workspaceId,
    type: 'testing',
  });
  expect(await accepts(key, token)).toBe(true);
});

test('the key of another workspace and a disposable email prevent the start', async () => {
  const key = `given-${randomId(8)}`;
  await init({ REDPEN_INIT_EMAIL: newEmail(), REDPEN_INIT_API_KEY: key });
  await expect(init({ REDPEN_INIT_EMAIL: newEmail(), REDPEN_INIT_API_KEY: key })).rejects.toThrow(
    /REDPEN_INIT_API_KEY: the key belongs to the workspace ws_/,
  );
  await expect(init({ REDPEN_INIT_EMAIL: 'ada@mailinator.com' })).rejects.toThrow(
    'REDPEN_INIT_EMAIL: This email domain is not supported.',
  );
});

test.each([
  ['REDPEN_INIT_API_KEY', 'short', 'must be 8 to 100 letters'],
  ['REDPEN_INIT_AUTH_TOKEN', 'hunter2', 'must be 32 to 200 letters'],
  ['REDPEN_INIT_AUTH_TOKEN', `hunter2 ${'x'.repeat(40)}`, 'must be 32 to 200 letters'],
  ['REDPEN_INIT_WORKSPACE', ' ', 'must not be empty'],
])('%s of %j is refused with its name and rule, and without the value of a secret', (name, value, rule) => {
  const read = () => readConfig({ REDPEN_INIT_EMAIL: 'ada@acme.dev', [name]: value });
  expect(read).toThrow(`${name}: ${rule}`);
  expect(read).not.toThrow('hunter2');
  expect(() => readConfig({ [name]: value })).toThrow('REDPEN_INIT_EMAIL: is required with');
});
