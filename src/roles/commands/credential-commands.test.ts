import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { until } from '../../../test/run/until.ts';
import { send, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { randomId } from '../../lib/ids.ts';
import { insertNewToken } from '../../store/platform/create-workspace.ts';
import { getWorkspace, setWorkspacePlan } from '../../store/platform/workspaces.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { runCommand } from './commands.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

/** Runs a command beside the service of the tests. */
const run = async (words: string[], more: Record<string, string> = {}): Promise<Outcome> => {
  const { deps } = await testApp();
  const env = { DATABASE_URL: process.env.DATABASE_URL!, REDPEN_MASTER_KEY: MASTER_KEY, ...more };
  return await runCommand(words, () => ({
    config: readConfig(env),
    log: deps.log,
    onProgress: () => {},
  }));
};

/** The variables of a shell after it has evaluated the output of a command. */
function evaluated({ output, exitCode }: Outcome): Record<string, string> {
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^(export REDPEN_[A-Z_]+='.*'\n)+$/)]);
  const env = execFileSync('sh', ['-c', 'eval "$LINES_OF_COMMAND"; env -0'], {
    env: { PATH: process.env.PATH, LINES_OF_COMMAND: output },
  });
  const entries = env
    .toString()
    .split('\0')
    .filter((line) => line.startsWith('REDPEN_'))
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  return Object.fromEntries(entries) as Record<string, string>;
}

const newEmail = () => `cli.${randomId(10)}@acme.dev`;
const create = async (...words: string[]) =>
  evaluated(await run(['workspace', 'create', newEmail(), ...words]));
const keyHeaders = (env: Record<string, string>) => ({
  'x-service-api-key': env.REDPEN_API_KEY!,
  'x-service-auth-token': env.REDPEN_AUTH_TOKEN!,
});
const accepts = async (env: Record<string, string>): Promise<boolean> =>
  (await send('/v2/workspace/apikeyconfig/get', { data: {} }, keyHeaders(env))).status === 200;

test('the API accepts the credentials that workspace create prints', async () => {
  const email = newEmail();
  const outcome = await run(['workspace', 'create', email, '--name', "Ada's $HOME", '--plan', 'paid']);
  const env = evaluated(outcome);
  expect(outcome.notice).toMatch(
    /^Made the workspace ws_\S+ of cli\.\S+ on the paid plan, with a first API key\.\n$/,
  );
  expect(env.REDPEN_URL).toBe('http://127.0.0.1:8080');
  const headers = {
    'x-service-workspace-id': env.REDPEN_WORKSPACE_ID!,
    'x-service-workspace-auth-token': env.REDPEN_WORKSPACE_TOKEN!,
  };
  const workspace = await send('/v2/workspace/get', { data: {} }, headers);
  expect(workspace.body.result.data).toMatchObject({
    id: env.REDPEN_WORKSPACE_ID,
    name: "Ada's $HOME",
    owner: { email },
    apiKeyList: {
      [env.REDPEN_API_KEY!]: { type: 'testing', apiKeyName: `C${email.slice(1).split('@')[0]} Test API Key` },
    },
  });
  const tokens = await send(
    '/v2/workspace/authtokens/get',
    { data: { apiKey: env.REDPEN_API_KEY } },
    headers,
  );
  expect(tokens.body.result.data.authTokens).toEqual([
    { token: env.REDPEN_AUTH_TOKEN, name: 'Default Auth Token', domains: [] },
  ]);
  expect(await accepts(env)).toBe(true);
  expect(await run(['workspace', 'token', env.REDPEN_WORKSPACE_ID!])).toEqual({
    exitCode: 0,
    output: `${outcome.output.split('\n').slice(0, 3).join('\n')}\n`,
    notice: '',
  });
});

test('a second call prints the credentials of the existing workspace', async () => {
  const email = newEmail();
  const first = await run(['workspace', 'create', email]);
  const again = await run(['workspace', 'create', email.toUpperCase(), '--name', 'other', '--plan', 'paid']);
  expect(again.output).toBe(first.output);
  expect(again.notice).toContain(`${email} has the workspace`);
  expect(again.notice).toContain('Nothing of it was changed: its name and plan are as before.');
  const owner = newEmail();
  await run(['workspace', 'create', owner, '--name', 'Acme']);
  const same = await run(['workspace', 'create', owner, '--name', 'Acme', '--plan', 'free']);
  expect(same.notice).toContain('(“Acme”) from before, on the free plan: these are its credentials.');
  expect(same.notice).not.toContain('Nothing of it was changed');
  const asJson = await run(['workspace', 'create', email, '--json']);
  expect(JSON.parse(asJson.output)).toEqual(evaluated(first));
});

test('concurrent commands for one email print the same credentials', async () => {
  const email = newEmail();
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => run(['workspace', 'create', email])));
  expect(new Set(outcomes.map(({ output }) => output)).size).toBe(1);
  expect(outcomes.filter(({ notice }) => notice?.startsWith('Made'))).toHaveLength(1);
});

test('another workspace of an owner requires the paid plan for the first', async () => {
  const email = newEmail();
  const first = evaluated(await run(['workspace', 'create', email]));
  const id = first.REDPEN_WORKSPACE_ID!;
  expect(await run(['workspace', 'create', email, '--another', '--name', 'b'])).toEqual({
    exitCode: 1,
    output: `A further workspace of ${email} needs the first one to be on the paid plan: redpen workspace plan ${id} paid\n`,
  });
  await run(['workspace', 'plan', id, 'paid']);
  const another = evaluated(await run(['workspace', 'create', email, '--another', '--name', 'b']));
  expect(another.REDPEN_WORKSPACE_ID).not.toBe(id);
  const { deps } = await testApp();
  expect(await getWorkspace(deps.db, another.REDPEN_WORKSPACE_ID!)).toMatchObject({
    name: 'b',
    plan: 'paid',
  });
  expect(await run(['workspace', 'create', email, '--another', '--name', 'b'])).toEqual({
    exitCode: 1,
    output: `${email} has a workspace of this name already; --name gives another one its own.\n`,
  });
  expect(await run(['workspace', 'create', email, '--another', '--plan', 'free'])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('--plan is for a first workspace'),
  });
});

test.each([
  [['workspace', 'create', 'nobody'], 'EMAIL must be an email address.\n'],
  [['workspace', 'create', 'a@x.Mailinator.com'], 'This email domain is not supported.\n'],
  [['workspace', 'create', 'a@acme.dev', '--name', ' '], '--name must not be empty.\n'],
  [['workspace', 'token', 'ws_none'], 'There is no workspace ws_none.\n'],
  [['key', 'create', 'ws_none'], 'There is no workspace ws_none.\n'],
  [['key', 'list', 'ws_none'], 'There is no workspace ws_none.\n'],
  [['key', 'token', 'key_none'], 'There is no API key key_none.\n'],
  [['key', 'reset', 'key_none'], 'There is no API key key_none.\n'],
  [['user-token', 'key_none', 'eve'], 'There is no API key key_none.\n'],
])('%j is refused with a message', async (words, output) => {
  expect(await run(words)).toEqual({ exitCode: 1, output });
});

test('a key can be created, listed and used, and a production key requires the paid plan', async () => {
  const workspace = await create();
  const id = workspace.REDPEN_WORKSPACE_ID!;
  const outcome = await run(['key', 'create', id, '--name', 'CI']);
  const env = evaluated(outcome);
  expect(await accepts(env)).toBe(true);
  const listed = await run(['key', 'list', id]);
  expect(listed.output.trim().split('\n')).toHaveLength(3);
  expect(listed.output).toMatch(new RegExp(`^${env.REDPEN_API_KEY} +testing +${id} +1 +20\\S+ +CI$`, 'm'));
  expect(listed.output).not.toContain('akt_');
  const production = ['key', 'create', id, '--type', 'production'];
  expect(await run(production)).toEqual({
    exitCode: 1,
    output: `A production key needs its workspace to be on the paid plan: redpen workspace plan ${id} paid\n`,
  });
  const { deps } = await testApp();
  await deps.db.transaction().execute((tx) => setWorkspacePlan(tx, id, 'paid'));
  expect(await accepts(evaluated(await run(production)))).toBe(true);
});

test('after a reset, a running service refuses the earlier token and its user tokens', async () => {
  const env = await create();
  const user = evaluated(await run(['user-token', env.REDPEN_API_KEY!, 'eve', '--organization', 'acme']));
  const asUser = () =>
    send(
      '/v2/commentannotations/get',
      { data: { organizationId: 'acme' } },
      { authorization: `Bearer ${user.REDPEN_USER_TOKEN}` },
    );
  // The service caches both tokens.
  expect(await accepts(env)).toBe(true);
  expect((await asUser()).status).not.toBe(401);
  const reset = await run(['key', 'reset', env.REDPEN_API_KEY!]);
  expect(reset.notice).toContain('works no more');
  const next = evaluated(reset);
  expect(next.REDPEN_AUTH_TOKEN).not.toBe(env.REDPEN_AUTH_TOKEN);
  expect(await accepts(next)).toBe(true);
  await expect.poll(() => accepts(env), { timeout: 300_000 }).toBe(false);
  await expect.poll(async () => (await asUser()).status, { timeout: 300_000 }).toBe(401);
  expect((await run(['key', 'token', env.REDPEN_API_KEY!])).output).toBe(reset.output);
});

test('a reset is announced to all processes at once', async () => {
  const { deps } = await testApp();
  const { REDPEN_API_KEY: apiKey = '' } = await create();
  const announced: string[] = [];
  let isListening = false;
  const stop = await deps.database.listen(
    'redpen_auth',
    (id) => announced.push(id),
    (listens) => {
      isListening = listens;
    },
  );
  onTestFinished(stop);
  await until(() => isListening);
  await run(['key', 'reset', apiKey]);
  await until(() => announced.includes(apiKey));
});

test('one of several tokens of a key is selected by its name', async () => {
  const { deps } = await testApp();
  const env = await create();
  const apiKey = env.REDPEN_API_KEY!;
  const { token } = await deps.db
    .transaction()
    .execute((tx) => insertNewToken(tx, deps.keyring, apiKey, { name: 'CI', domains: [] }));
  const oldest = await run(['key', 'token', apiKey]);
  expect(evaluated(oldest).REDPEN_AUTH_TOKEN).toBe(env.REDPEN_AUTH_TOKEN);
  expect(oldest.notice).toContain('2 tokens (Default Auth Token, CI)');
  expect(evaluated(await run(['key', 'token', apiKey, '--token-name', 'CI'])).REDPEN_AUTH_TOKEN).toBe(token);
  expect(await run(['key', 'token', apiKey, '--token-name', 'x'])).toEqual({
    exitCode: 1,
    output: `The API key ${apiKey} has no token of the name x, but Default Auth Token, CI.\n`,
  });
});

test('a user token grants exactly what it was made for', async () => {
  const env = await create();
  for (const organizationId of ['acme', 'other']) {
    await send(
      '/v2/organizations/documents/add',
      { data: { organizationId, documents: [{ documentId: 'home/page', accessType: 'restricted' }] } },
      keyHeaders(env),
    );
  }
  const outcome = await run([
    ...['user-token', env.REDPEN_API_KEY!, 'eve', '--document', 'acme/home/page', '--role', 'viewer'],
    ...['--name', "Eve O'Hara", '--email', 'eve@acme.dev'],
  ]);
  const { REDPEN_USER_TOKEN: token = '' } = evaluated(outcome);
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  expect(claims).toMatchObject({
    sub: 'eve',
    aud: env.REDPEN_API_KEY,
    name: "Eve O'Hara",
    email: 'eve@acme.dev',
    isAdmin: false,
    resources: [{ type: 'document', id: 'home/page', organizationId: 'acme', accessRole: 'viewer' }],
  });
  const permissionOn = async (organizationId: string) => {
    const request = { organizationId, userIds: ['eve'], documentIds: ['home/page'] };
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await send('/v2/auth/permissions/get', { data: request }, headers);
    return body.result.data.eve.documents['home/page'];
  };
  expect(await permissionOn('acme')).toMatchObject({ accessRole: 'viewer' });
  expect(await permissionOn('other')).toMatchObject({ errorCode: 'permission_denied' });
  expect(await run(['user-token', env.REDPEN_API_KEY!, 'eve', '--document', 'acme'])).toMatchObject({
    exitCode: 1,
    output: '--document takes ORGANIZATION/DOCUMENT, and not acme.\n',
  });
  const bare = await run(['user-token', env.REDPEN_API_KEY!, 'eve']);
  expect(bare.notice).toContain('It grants nothing by itself');
});

test.each([
  [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://127.0.0.1:9000'],
  [{ HOST: '::', PORT: '9000' }, 'http://[::1]:9000'],
  [{ HOST: 'redpen.lan' }, 'http://redpen.lan:8080'],
  [{ REDPEN_PUBLIC_URL: 'https://redpen.example.com/api/' }, 'https://redpen.example.com/api'],
])('with the settings %j the printed URL is %s', async (env, url) => {
  expect(evaluated(await run(['workspace', 'create', newEmail()], env)).REDPEN_URL).toBe(url);
});

test('if the service uses a free port, the URL is left out and a notice explains that', async () => {
  const outcome = await run(['workspace', 'create', newEmail()], { PORT: '0' });
  expect(evaluated(outcome)).not.toHaveProperty('REDPEN_URL');
  expect(outcome.notice).toContain('set REDPEN_URL');
});

test('workspace create initializes an empty database, and other commands refuse it', async () => {
  const { url, drop } = await newDatabase({ empty: true });
  onTestFinished(drop);
  const env = { DATABASE_URL: url };
  expect(await run(['key', 'list'], env)).toEqual({
    exitCode: 1,
    output:
      'No service has run on this database yet: start it once, or begin with redpen workspace create EMAIL.\n',
  });
  evaluated(await run(['workspace', 'create', 'ada@acme.dev'], env));
  expect((await run(['key', 'list'], env)).output.trim().split('\n')).toHaveLength(2);
});

test('a newer command does not migrate the database of a running service', async () => {
  const { url, drop } = await newDatabase();
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  await database.db
    .withoutPlugins()
    // biome-ignore lint/suspicious/noExplicitAny: the table of the migrator is none of ours.
    .deleteFrom('kysely_migration' as any)
    .where('name' as never, '=', '0013-allowed-hosts' as never)
    .execute();
  expect(await run(['workspace', 'create', 'ada@acme.dev'], { DATABASE_URL: url })).toEqual({
    exitCode: 1,
    output: 'The database is not up to date: start the service once, then try again.\n',
  });
});
