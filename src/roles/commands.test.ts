import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/harness.ts';
import { createUserTokens } from '../access/user-token.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../db/connect.ts';
import { json } from '../db/json.ts';
import { migrate } from '../db/migrate.ts';
import { createKeyring, hashToken } from '../lib/crypto.ts';
import { randomId } from '../lib/ids.ts';
import { openSecrets, sealSecrets } from '../review/secrets.ts';
import { openFromConfig, saveConfig, sealInConfig } from '../store/api-key-config.ts';
import { createApiKey } from '../store/api-key-creation.ts';
import { listTokens, tokenBinding } from '../store/api-keys.ts';
import { checkKeyring } from '../store/key-checks.ts';
import { getServiceConfig, openServiceSecret, sealServiceSecret } from '../store/service-configs.ts';
import { createEndpoint, openSigningSecrets, requireEndpoint } from '../store/webhook-endpoints.ts';
import { rotateEndpointSecret } from '../store/webhook-secrets.ts';
import { createWorkspace } from '../store/workspace-creation.ts';
import { findByWorkspaceToken, getWorkspace, workspaceTokenBinding } from '../store/workspaces.ts';
import { startAdmin } from './admin.ts';
import { runCommand } from './commands.ts';

const log = pino({ level: 'silent' });
const folders: string[] = [];
const newFolder = (name = 'redpen-command-') => {
  const folder = mkdtempSync(join(tmpdir(), name));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const run = (words: string[], env: Record<string, string> = {}) =>
  runCommand(words, () => ({ config: readConfig(env), log }));

test.each([
  [['--help'], 0, 'Usage: redpen <command>'],
  [['workspace', '--help'], 0, 'plan'],
  [['workspace', 'plan', '--help'], 0, 'choices: "free", "paid"'],
  [['keys', 'rotate', '--help'], 0, 'REDPEN_MASTER_KEY'],
  [[], 1, 'Usage: redpen <command>'],
  [['workspace'], 1, 'Usage: redpen workspace'],
  [['nonsense'], 1, "unknown command 'nonsense'"],
  [['workspace', 'plan', 'ws_1', 'gold'], 1, 'Allowed choices are free, paid'],
  [['workspace', 'show'], 1, "missing required argument 'id'"],
])('the words %j need no service', async (words, exitCode, text) => {
  const readNothing = () => {
    throw new Error('The settings were read.');
  };
  const outcome = await runCommand(words, readNothing);
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.output).toContain(text);
});

test('commands go to the service that holds the data, and change it', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const folder = newFolder();
  const admin = await startAdmin(folder, deps);
  const env = { REDPEN_DATA_DIR: folder };
  try {
    expect(statSync(join(folder, 'admin.sock')).mode & 0o777).toBe(0o600);
    const listed = await run(['workspace', 'list', '--email', workspace.email.toUpperCase()], env);
    expect(listed).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(`${workspace.workspaceId}  free`),
    });
    const changed = await run(['workspace', 'plan', workspace.workspaceId, 'paid'], env);
    expect(changed).toEqual({
      exitCode: 0,
      output: `The workspace ${workspace.workspaceId} is on the paid plan now.\n`,
    });
    expect((await getWorkspace(deps.db, workspace.workspaceId))?.plan).toBe('paid');
    const shown = await run(['workspace', 'show', workspace.workspaceId], env);
    expect(shown.output).toContain(workspace.apiKeyId);
    expect(shown.output).not.toContain(workspace.token);
    expect(shown.output).not.toContain(workspace.authToken);
    expect(await run(['workspace', 'plan', 'ws_none', 'paid'], env)).toEqual({
      exitCode: 1,
      output: 'There is no workspace ws_none.\n',
    });
  } finally {
    await admin.close();
  }
});

test('a data directory with a long path has its socket elsewhere, closed to others', async () => {
  const { deps } = await testApp();
  const folder = join(newFolder(), 'x'.repeat(120));
  const admin = await startAdmin(folder, deps);
  try {
    const outcome = await run(['workspace', 'show', 'ws_none'], { REDPEN_DATA_DIR: folder });
    expect(outcome).toEqual({ exitCode: 1, output: 'There is no workspace ws_none.\n' });
  } finally {
    await admin.close();
  }
});

test('without a service, a command opens the data itself', async () => {
  const folder = newFolder();
  const env = { REDPEN_DATA_DIR: join(folder, 'data') };
  expect(await run(['workspace', 'list'], env)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('There is no data directory'),
  });
  const database = await openDatabase({ dataDir: env.REDPEN_DATA_DIR, onError: () => {} });
  await migrate(database.db);
  await database.close();
  const listed = await run(['workspace', 'list'], env);
  expect(listed).toEqual({ exitCode: 0, output: 'ID  PLAN  OWNER  CREATED  NAME\n' });
});

test('keys rotate seals everything with the new key, so that the earlier one can go', async () => {
  const folder = newFolder();
  const [earlier, next] = [randomBytes(32), randomBytes(32)];
  const before = createKeyring([earlier]);
  const database = await openDatabase({ dataDir: folder, onError: () => {} });
  await migrate(database.db);
  await checkKeyring(database.db, before);
  const owner = { ownerEmail: `${randomId(8)}@example.com` };
  const created = await database.db.transaction().execute((tx) => createWorkspace(tx, before, owner, 'paid'));
  const apiKeyId = await database.db
    .transaction()
    .execute((tx) =>
      createApiKey(
        tx,
        before,
        { workspaceId: created.id },
        { ...owner, type: 'testing', createAuthToken: true },
      ),
    );
  const scope = { workspaceId: created.id, apiKeyId };
  const { endpointId } = await database.db.transaction().execute(async (tx) => {
    const openai = {
      ...sealInConfig(before, apiKeyId, 'aiModels.openai', 'model secret'),
      displayText: '****',
    };
    await saveConfig(tx, scope, { aiModels: { openai } });
    const endpoint = { url: 'https://example.com/', disabled: false };
    const made = await createEndpoint(tx, before, scope, endpoint, 'whsec_earlier');
    const rotation = { secret: 'whsec_present', graceMs: 60_000 };
    await rotateEndpointSecret(tx, before, scope, made.endpointId, rotation);
    return made;
  });
  const claims = { userId: 'ada', name: 'Ada', email: '', isAdmin: false, resources: [] };
  await database.db
    .insertInto('serviceConfigs')
    .values({
      apiKeyId,
      service: 'email',
      config: json({}),
      secretSealed: sealServiceSecret(before, apiKeyId, 'email', 'service secret'),
      updatedAt: 1,
    })
    .execute();
  const userToken = await createUserTokens(database.db, before).sign(apiKeyId, 'auth', claims);
  const agentOwner = { apiKeyId, agentId: 'agent_1' };
  const behavior = {
    execution: { mcpServers: [{ id: 'm', auth: { type: 'bearer', token: 'agent secret' } }] },
  };
  await database.db
    .insertInto('agentVersions')
    .values({
      ...agentOwner,
      version: 1,
      behavior: json(sealSecrets(behavior, before, agentOwner)),
      createdAt: 1,
    })
    .execute();
  await database.close();

  const env = {
    REDPEN_DATA_DIR: folder,
    REDPEN_MASTER_KEY: next.toString('base64'),
    REDPEN_MASTER_KEY_PREVIOUS: earlier.toString('base64'),
  };
  const rotated = await run(['keys', 'rotate'], env);
  expect(rotated.exitCode).toBe(0);
  expect(rotated.output).toContain('1 workspace tokens');
  expect(rotated.output).toContain('2 API key tokens');
  expect(rotated.output).toContain('1 API key configurations');
  expect(rotated.output).toContain('1 secrets of services');
  expect(rotated.output).toContain('1 agent versions');
  expect(rotated.output).toContain('1 endpoints of webhooks');
  expect(rotated.output).toContain('1 keys that sign user tokens');
  expect((await run(['keys', 'rotate'], env)).output).toContain('0 API key tokens');

  const after = createKeyring([next]);
  const reopened = await openDatabase({ dataDir: folder, onError: () => {} });
  try {
    await checkKeyring(reopened.db, after);
    const row = await getWorkspace(reopened.db, created.id);
    const token = after.open(row!.tokenSealed, workspaceTokenBinding(created.id));
    expect(token).toBe(created.authToken);
    expect(await findByWorkspaceToken(reopened.db, created.id, hashToken(token))).toEqual({
      workspaceId: created.id,
    });
    const [keyToken] = await listTokens(reopened.db, apiKeyId);
    expect(hashToken(after.open(keyToken!.tokenSealed, tokenBinding(apiKeyId, keyToken!.tokenHash)))).toBe(
      keyToken!.tokenHash,
    );
    const userTokens = createUserTokens(reopened.db, after);
    expect(await userTokens.verify(userToken)).toMatchObject({ user: { userId: 'ada' } });
    expect(await userTokens.sign(apiKeyId, 'auth', claims)).toEqual(expect.any(String));
    const key = await reopened.db
      .selectFrom('apiKeys')
      .select('config')
      .where('apiKeyId', '=', apiKeyId)
      .executeTakeFirstOrThrow();
    const { openai } = key.config.aiModels as { openai: { sealed: string } };
    expect(openFromConfig(after, apiKeyId, 'aiModels.openai', openai)).toBe('model secret');
    const endpoint = await requireEndpoint(reopened.db, scope, endpointId);
    expect(openSigningSecrets(after, endpoint, Date.now())).toEqual(['whsec_present', 'whsec_earlier']);
    const service = await getServiceConfig(reopened.db, scope, 'email');
    expect(openServiceSecret(after, apiKeyId, 'email', service!.secretSealed!)).toBe('service secret');
    const version = await reopened.db
      .selectFrom('agentVersions')
      .select('behavior')
      .executeTakeFirstOrThrow();
    expect(openSecrets(version.behavior, after, agentOwner)).toEqual(behavior);
  } finally {
    await reopened.close();
  }
});

test('a service whose earlier key is gone says so in place of losing secrets', async () => {
  const folder = newFolder();
  const database = await openDatabase({ dataDir: folder, onError: () => {} });
  await migrate(database.db);
  await checkKeyring(database.db, createKeyring([randomBytes(32)]));
  await database.close();
  const env = { REDPEN_DATA_DIR: folder, REDPEN_MASTER_KEY: randomBytes(32).toString('base64') };
  await expect(run(['keys', 'rotate'], env)).rejects.toThrow('REDPEN_MASTER_KEY_PREVIOUS');
});
