import { expect, test } from 'vitest';
import { auditOf } from '../../../test/people/audit.ts';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import { DAY_MS } from '../../lib/day.ts';
import { underRotationLock } from '../../store/keys/key-checks.ts';
import { openSigningSecrets, requireEndpoint } from '../../store/webhooks/endpoints.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { runCommand } from './commands.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const ADDRESS = 'https://hooks.example.com/a';

/** Runs `keys rotate-old` for a workspace, beside the service of the tests. */
async function rotateOld(
  { workspaceId }: TestWorkspace,
  words: string[] = [],
  settings: Record<string, string> = {},
): Promise<Outcome & { made: Record<string, unknown>[] }> {
  const { deps } = await testApp();
  const env = { DATABASE_URL: process.env.DATABASE_URL!, REDPEN_MASTER_KEY: MASTER_KEY, ...settings };
  const all = ['keys', 'rotate-old', workspaceId, '--older-than', '90d', ...words];
  const setup = () => ({ config: readConfig(env), log: deps.log, onProgress: () => {} });
  const outcome = await runCommand(all, setup);
  const lines = outcome.output.split('\n').filter((line) => line.startsWith('{'));
  return { ...outcome, made: lines.map((line) => JSON.parse(line)) };
}

/** A workspace with a webhook endpoint, whose credentials were made a hundred days ago. */
async function newOldWorkspace() {
  const workspace = await newWorkspace();
  const { apiKeyId, workspaceId } = workspace;
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const hooks = '/v2/workspace/advancedwebhook/endpoints';
  const { id: endpointId } = await workspace.must(`${hooks}/create`, { url: `${ADDRESS}?key=hunter2` });
  const { secret } = await workspace.must(`${hooks}/secret/get`, { endpointId });
  const { db, keyring } = (await testApp()).deps;
  const at = Date.now() - 100 * DAY_MS;
  await db.updateTable('workspaces').set({ tokenAt: at }).where('workspaceId', '=', workspaceId).execute();
  await db.updateTable('apiKeyTokens').set({ createdAt: at }).where('apiKeyId', '=', apiKeyId).execute();
  await db.updateTable('webhookEndpoints').set({ secretAt: at }).where('apiKeyId', '=', apiKeyId).execute();
  const signingSecrets = async () => {
    const endpoint = await requireEndpoint(db, { apiKeyId, workspaceId }, endpointId);
    return openSigningSecrets(keyring, endpoint, Date.now());
  };
  return { workspace, endpointId, secret, signingSecrets };
}

const isValid = async (headers: Record<string, string>, path: string): Promise<boolean> =>
  (await send(path, { data: {} }, headers)).status === 200;

const isKeyToken = ({ apiKeyId }: TestWorkspace, token: unknown) =>
  isValid(
    { 'x-service-api-key': apiKeyId, 'x-service-auth-token': String(token) },
    '/v2/workspace/apikeyconfig/get',
  );

const isWorkspaceToken = ({ workspaceId }: TestWorkspace, token: unknown) =>
  isValid(
    { 'x-service-workspace-id': workspaceId, 'x-service-workspace-auth-token': String(token) },
    '/v2/workspace/get',
  );

test('old tokens and secrets are replaced with an overlap, each printed on a line, and recorded', async () => {
  const { workspace, endpointId, secret, signingSecrets } = await newOldWorkspace();
  const { apiKeyId, workspaceId } = workspace;
  const listed = await rotateOld(workspace, ['--dry-run']);
  expect(listed.output.split('\n')[0]).toMatch(/^KIND +SINCE +OF +NAME$/);
  expect(listed.output.trim().split('\n')).toHaveLength(4);
  expect(listed.output).not.toContain('hunter2');

  const { exitCode, isAnswer, notice, made } = await rotateOld(workspace, ['--grace', '2d']);
  expect([exitCode, isAnswer, notice]).toEqual([0, true, '']);
  const earlierUntil = expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/);
  expect(made).toHaveLength(3);
  const find = (kind: string) => made.find((one) => one.kind === kind)!;
  expect(find('workspace_token')).toMatchObject({ workspaceId, name: expect.any(String), earlierUntil });
  expect(find('api_key_token')).toMatchObject({
    workspaceId,
    apiKeyId,
    name: expect.any(String),
    earlierUntil,
  });
  expect(find('webhook_secret')).toMatchObject({
    workspaceId,
    apiKeyId,
    endpointId,
    name: ADDRESS,
    earlierUntil,
  });
  const ends = made.map((one) => Date.parse(String(one.earlierUntil)) - Date.now());
  for (const left of ends) expect(left).toBeGreaterThan(DAY_MS);
  for (const left of ends) expect(left).toBeLessThanOrEqual(2 * DAY_MS);

  for (const token of [workspace.token, find('api_key_token').value])
    expect(await isKeyToken(workspace, token)).toBe(true);
  for (const token of [workspace.authToken, find('workspace_token').value])
    expect(await isWorkspaceToken(workspace, token)).toBe(true);
  expect(await signingSecrets()).toEqual([find('webhook_secret').value, secret]);

  const byCommand = (await auditOf(workspace)).filter(({ via }) => via === 'redpen keys rotate-old');
  expect(byCommand.map(({ action }) => action).sort()).toEqual([
    'token.reset',
    'webhook_endpoint.secret_rotated',
    'workspace.token_reset',
  ]);

  // What has just been made is not old, so a schedule may run the command at any time.
  expect(await rotateOld(workspace)).toMatchObject({
    exitCode: 0,
    output: '',
    notice: 'No token or secret is that old.\n',
  });
});

test('only the wanted kinds are replaced, and each of several tokens of one name', async () => {
  const { workspace } = await newOldWorkspace();
  const { deps } = await testApp();
  const row = await deps.db
    .selectFrom('apiKeyTokens')
    .selectAll()
    .where('apiKeyId', '=', workspace.apiKeyId)
    .executeTakeFirstOrThrow();
  await deps.db
    .insertInto('apiKeyTokens')
    .values({ ...row, tokenHash: `${row.tokenHash}2` })
    .execute();
  const { exitCode, made } = await rotateOld(workspace, [
    '--kind',
    'api_key_token',
    '--kind',
    'workspace_token',
  ]);
  expect(exitCode).toBe(0);
  const ofKey = made.filter(({ kind }) => kind === 'api_key_token');
  expect([made.length, ofKey.length]).toEqual([3, 2]);
  expect(new Set(ofKey.map(({ value }) => value)).size).toBe(2);
  for (const { value } of ofKey) expect(await isKeyToken(workspace, value)).toBe(true);
  const left = await rotateOld(workspace, ['--dry-run']);
  expect(left.output).not.toMatch(/api_key_token|workspace_token/);
  expect(left.output).toContain('webhook_secret');
});

test('a token that a setting fixes, and a secret that does not sign, are named and left, without a failure', async () => {
  const { workspace, signingSecrets, secret } = await newOldWorkspace();
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: false });
  const settings = { REDPEN_INIT_AUTH_TOKEN: workspace.token, REDPEN_INIT_EMAIL: 'ada@acme.dev' };
  const { exitCode, notice, made } = await rotateOld(workspace, [], settings);
  expect(made.map(({ kind }) => kind)).toEqual(['workspace_token']);
  expect(exitCode).toBe(0);
  expect(notice).toContain('REDPEN_INIT_AUTH_TOKEN sets this token');
  expect(notice).toMatch(/The secret of the endpoint ep_\w+ of key_\w+ is not replaced: /);
  expect(await signingSecrets()).toEqual([secret]);
});

test('wrong words, unknown workspaces and a second rotation at the same time are refused, and change nothing', async () => {
  const { workspace, signingSecrets, secret } = await newOldWorkspace();
  for (const [words, says] of [
    [['--grace', '8d'], '--grace may be up to 7d.'],
    [['--kind', 'password'], 'Its kinds are workspace_token, api_key_token, webhook_secret.'],
    [['--older-than', 'ages'], 'It must be a duration of at most a year'],
  ] as const)
    expect(await rotateOld(workspace, [...words])).toMatchObject({
      exitCode: expect.toSatisfy((code) => code > 0),
      output: expect.stringContaining(says),
    });
  expect(await rotateOld({ ...workspace, workspaceId: 'ws_none' })).toMatchObject({
    exitCode: 1,
    output: 'There is no workspace ws_none.\n',
  });
  const { deps } = await testApp();
  await underRotationLock(deps.db, 'tokens and secrets', async () => {
    expect(await rotateOld(workspace)).toMatchObject({
      exitCode: 1,
      output: 'Another rotation of tokens and secrets is going on: wait for it, or end it.\n',
    });
  });
  expect(await signingSecrets()).toEqual([secret]);
});
