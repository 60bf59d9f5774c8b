import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { newWorkspace, send, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { randomId } from '../../lib/ids.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { runCommand } from './commands.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

const run = async (words: string[], more: Record<string, string> = {}): Promise<Outcome> => {
  const { deps } = await testApp();
  const env = { DATABASE_URL: process.env.DATABASE_URL!, REDPEN_MASTER_KEY: MASTER_KEY, ...more };
  return await runCommand(['console', 'link', ...words], () => ({
    config: readConfig(env),
    log: deps.log,
    onProgress: () => {},
  }));
};

/** Signs in with the printed link, and returns the session. */
async function signInBy({ output, exitCode }: Outcome) {
  expect([exitCode, output]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/console#code=rpl_[\w-]{43}\n$/),
  ]);
  const { status, body } = await send('/v2/session/start', { data: { code: output.trim().split('=')[1] } });
  return { status, ...body.result?.data };
}

const rolesIn = ({ workspaces }: { workspaces: { workspaceId: string; role: string }[] }) =>
  workspaces.map(({ workspaceId, role }) => [workspaceId, role]);

test('a link for a person signs in to the workspaces that they own, once', async () => {
  const { workspaceId, email } = await newWorkspace();
  const outcome = await run([email]);
  expect(outcome.notice).toContain('once, within 24 hours');
  // Its address is what the one who made it said.
  expect(outcome.notice).toContain(`${email} is now an owner of ${workspaceId} (`);
  const session = await signInBy(outcome);
  expect(session.account).toMatchObject({ email, name: email });
  expect(rolesIn(session)).toEqual([[workspaceId, 'owner']]);
  expect((await signInBy(outcome)).status).toBe(401);
  const again = await signInBy(await run([email.toUpperCase()]));
  expect(again.account).toEqual(session.account);
  expect((await run([email])).notice).not.toContain('is now an owner');
});

test('a link for a person in no workspace names one', async () => {
  const { workspaceId } = await newWorkspace();
  const email = `${randomId(8)}@acme.dev`;
  expect(await run([email])).toMatchObject({
    exitCode: 1,
    output: `${email} is in no workspace: name one with --workspace ID.\n`,
  });
  const session = await signInBy(await run([email, '--workspace', workspaceId]));
  expect(rolesIn(session)).toEqual([[workspaceId, 'owner']]);
  expect((await signInBy(await run([email]))).account).toEqual(session.account);
});

test('a link without a person signs in as the operator', async () => {
  const { workspaceId } = await newWorkspace();
  const session = await signInBy(await run(['--workspace', workspaceId]));
  expect(session.account).toMatchObject({ name: 'Operator', email: null });
  expect(rolesIn(session)).toContainEqual([workspaceId, 'owner']);
});

test.each([
  [['--workspace', 'ws_none'], {}, 'There is no workspace ws_none.'],
  [['nobody'], {}, 'EMAIL must be an email address.'],
  [[], { REDPEN_CONSOLE: 'off' }, 'The console is turned off: see REDPEN_CONSOLE.'],
  [[], { PORT: '0' }, 'PORT is 0 and no service runs on this data folder'],
])('console link %j with %j is refused', async (words, env, message) => {
  const outcome = await run(words, env as Record<string, string>);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.output).toContain(message);
});

test('the first link on an empty database makes a workspace with an API key', async () => {
  const { url, drop } = await newDatabase();
  const { exitCode, output } = await run([], { DATABASE_URL: url });
  expect([exitCode, output]).toEqual([0, expect.stringContaining('/console#code=')]);
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  const { db } = database;
  expect(await db.selectFrom('workspaces').select(['name', 'ownerEmail']).execute()).toEqual([
    { name: 'My workspace', ownerEmail: 'owner@redpen.invalid' },
  ]);
  expect(await db.selectFrom('apiKeys').select('type').execute()).toEqual([{ type: 'testing' }]);
  expect(await db.selectFrom('members').select('role').execute()).toEqual([{ role: 'owner' }]);
});
