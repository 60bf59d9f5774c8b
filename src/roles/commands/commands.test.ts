import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { testLog as log } from '../../../test/run/log-watch.ts';
import { fillDataFolder } from '../../../test/service/data-folder.ts';
import { createUserTokens } from '../../access/user-token.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { json } from '../../db/sql-fragments.ts';
import { createKeyring, hashToken } from '../../lib/crypto.ts';
import { randomId } from '../../lib/ids.ts';
import { defaultSettings } from '../../postgres/cluster.ts';
import { openMetadata, openSecrets, sealMetadata, sealSecrets } from '../../review/agents/agent-secrets.ts';
import { checkKeyring } from '../../store/keys/key-checks.ts';
import { listTokens, tokenBinding } from '../../store/platform/api-keys.ts';
import { createApiKey } from '../../store/platform/create-api-key.ts';
import { createWorkspace } from '../../store/platform/create-workspace.ts';
import {
  getServiceConfig,
  openServiceSecret,
  sealServiceSecret,
} from '../../store/platform/service-configs.ts';
import { openFromConfig, saveConfig, sealInConfig } from '../../store/platform/stored-key-config.ts';
import {
  findByWorkspaceToken,
  getWorkspace,
  workspaceTokenBinding,
} from '../../store/platform/workspaces.ts';
import {
  createEndpoint,
  openSigningSecrets,
  requireEndpoint,
  rotateEndpointSecret,
} from '../../store/webhooks/endpoints.ts';
import { runCommand } from './commands.ts';

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
  runCommand(words, () => ({ config: readConfig(env), log, onProgress: () => {} }));

test.each([
  [['--help'], 0, 'Usage: redpen <command>'],
  [['workspace', '--help'], 0, 'plan'],
  [['workspace', 'plan', '--help'], 0, 'choices: "free", "paid"'],
  [['keys', 'rotate', '--help'], 0, '--new'],
  [['usage', '--help'], 0, 'maximum number of API keys'],
  [['doctor', '--help'], 0, '--json'],
  [['usage', '--limit', '0'], 1, 'It must be a whole number from 1 on.'],
  [[], 1, 'Usage: redpen <command>'],
  [['workspace'], 1, 'Usage: redpen workspace'],
  [['nonsense'], 1, "unknown command 'nonsense'"],
  [['workspace', 'plan', 'ws_1', 'gold'], 1, 'Allowed choices are free, paid'],
  [['workspace', 'show'], 1, "missing required argument 'id'"],
  [['workspace', 'create'], 1, 'Usage: redpen workspace create [options] <email>'],
  [['workspace', 'create'], 1, '\nExample: redpen workspace create ada@acme.dev\n'],
  [['workspace', 'create', '--help'], 0, '\nExample: redpen workspace create ada@acme.dev\n'],
  [['access', 'explain', 'key_1'], 1, "missing required arguments 'organization', 'document', and 'user'\n"],
  [['user-token', 'key_1'], 1, "missing required argument 'user'\n"],
  [['key', 'reset', '--nothing'], 1, 'Usage: redpen key reset [options] <key>'],
  [['nonsense'], 1, '\nredpen --help says more.\n'],
])('the words %j are answered without a service', async (words, exitCode, text) => {
  const readNothing = () => {
    throw new Error('The settings were read.');
  };
  const outcome = await runCommand(words, readNothing);
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.output).toContain(text);
});

test('commands use the embedded database of the service that has locked the data, and open it themselves without one', async () => {
  const dataDir = join(newFolder(), 'data');
  const env = { REDPEN_DATA_DIR: dataDir };
  expect(await run(['workspace', 'list'], env)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('There is no data directory'),
  });
  await fillDataFolder(dataDir);
  const settings = { ...defaultSettings, fsync: false };
  const database = await openDatabase({ dataDir, log, settings, onError: () => {} });
  const keyring = createKeyring([randomBytes(32)]);
  const owner = { ownerEmail: `${randomId(8)}@example.com` };
  try {
    const created = await database.db
      .transaction()
      .execute((tx) => createWorkspace(tx, keyring, owner, 'free'));
    const listed = await run(['workspace', 'list', '--email', owner.ownerEmail.toUpperCase()], env);
    expect(listed).toMatchObject({ exitCode: 0, output: expect.stringContaining(`${created.id}  free`) });
    expect(await run(['workspace', 'plan', created.id, 'paid'], env)).toEqual({
      exitCode: 0,
      output: `The workspace ${created.id} is on the paid plan now.\n`,
    });
    expect((await getWorkspace(database.db, created.id))?.plan).toBe('paid');
    const shown = await run(['workspace', 'show', created.id], env);
    expect(shown.output).toContain(owner.ownerEmail);
    expect(shown.output).not.toContain(created.authToken);
    expect(await run(['workspace', 'plan', 'ws_none', 'paid'], env)).toEqual({
      exitCode: 1,
      output: 'There is no workspace ws_none.\n',
    });
    // The command looks for the key of the service, and never creates one.
    expect(await run(['keys', 'rotate'], env)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('There is no master key'),
    });
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false);

    const { exitCode, output } = await run(['db'], env);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Server +embedded/);
    expect(output).toMatch(/Version +PostgreSQL \d+/);
    expect(output).toMatch(/Size +\d+\.\d MB/);
    expect(output).toMatch(/fsync +off/);
    expect(output).toContain('public.judgments');
    expect(output).toMatch(/psql "host=\S+ port=5432 user=redpen dbname=redpen"/);
  } finally {
    await database.close();
  }
  expect(await run(['workspace', 'list', '--email', 'nobody@example.com'], env)).toEqual({
    exitCode: 0,
    output: 'ID  PLAN  OWNER  CREATED  NAME\n',
  });
});

test('for a folder of an earlier version, the error names the command that carries it over', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'pg'));
  writeFileSync(join(folder, 'pg', 'PG_VERSION'), '18\n');
  await expect(run(['workspace', 'list'], { REDPEN_DATA_DIR: folder })).rejects.toThrow(
    'npm run redpen -- db carry-over',
  );
});

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the steps depend on each other.
test('keys rotate reseals everything with the new key, so that the earlier one can be removed', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const [earlier, next] = [randomBytes(32), randomBytes(32)];
  const before = createKeyring([earlier]);
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
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
    const endpointRow = await createEndpoint(tx, before, scope, endpoint, {
      secret: 'whsec_earlier',
      max: 1,
    });
    const rotation = { secret: 'whsec_present', graceMs: 60_000 };
    await rotateEndpointSecret(tx, before, scope, endpointRow.endpointId, rotation);
    return endpointRow;
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
    custom: { apiKey: 'shape secret', url: 'https://a.example/?token=url-secret' },
  };
  const metadata = { crm: { token: 'metadata secret' } };
  await database.db
    .insertInto('agents')
    .values({
      ...agentOwner,
      name: 'a',
      description: null,
      enabled: true,
      metadata: json(sealMetadata(metadata, before, agentOwner)),
      version: 1,
      executionCount: 0,
      lastExecutedAt: null,
      createdAt: 1,
      updatedAt: 1,
    })
    .execute();
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
    DATABASE_URL: url,
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
  expect(rotated.output).toContain('1 agents with metadata');
  expect(rotated.output).toContain('1 endpoints of webhooks');
  expect(rotated.output).toContain('1 keys that sign user tokens');
  expect((await run(['keys', 'rotate'], env)).output).toContain('0 API key tokens');

  const after = createKeyring([next]);
  const reopened = await openDatabase({ databaseUrl: url, onError: () => {} });
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
    const agent = await reopened.db.selectFrom('agents').select('metadata').executeTakeFirstOrThrow();
    expect(openMetadata(agent.metadata, after, agentOwner)).toEqual(metadata);
  } finally {
    await reopened.close();
  }
});

test('a missing earlier key is an error, so that no secrets are lost', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  await checkKeyring(database.db, createKeyring([randomBytes(32)]));
  await database.close();
  const env = { DATABASE_URL: url, REDPEN_MASTER_KEY: randomBytes(32).toString('base64') };
  await expect(run(['keys', 'rotate'], env)).rejects.toThrow('REDPEN_MASTER_KEY_PREVIOUS');
});
