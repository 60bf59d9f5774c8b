import { beforeAll, expect, test } from 'vitest';
import { expectLog } from '../run/log-watch.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';

let stage: ConsoleStage;

beforeAll(async () => {
  stage = await createConsoleStage();
});

const listAgentsWith = async (token: string): Promise<number> => {
  const response = await fetch(`${stage.service.url}/v2/agents/get`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"data":{}}',
  });
  return response.status;
};

test('a personal token is shown once, may not decide unless that is ticked, and is revoked', async () => {
  const { page, goTo } = await stage.open('/keys?tab=personal');
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: 'Create a personal token' });
  expect(await form.getByRole('checkbox', { name: /^Decide/ }).isChecked()).toBe(false);
  await form.getByLabel('Name', { exact: true }).fill('Assistant');
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('alertdialog', { name: 'Your new token' });
  const token = (await shown.getByRole('group', { name: 'Personal token' }).innerText()).trim();
  expect(token).toMatch(/^rp_/);
  await shown.getByRole('button', { name: 'Close' }).click();
  expect(await listAgentsWith(token)).toBe(200);

  await goTo('/keys?tab=personal');
  const row = page.getByRole('row', { name: /Assistant/ });
  expect(await row.innerText()).not.toContain('decide');
  expect(await page.content()).not.toContain(token);
  await row.getByRole('button', { name: 'Revoke' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Revoke Assistant?' });
  await asked.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('No personal token yet').waitFor();
  expect(await listAgentsWith(token)).toBe(401);
});

test('an invited viewer signs in with the link, and sees no secrets', async () => {
  const owner = await stage.open('/settings?tab=members');
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  const form = owner.page.getByRole('dialog', { name: 'Invite a member' });
  await form.getByLabel('Email').fill('bob@example.com');
  await form.getByLabel('Name').fill('Bob');
  expect(await form.getByRole('radio', { name: /^Viewer/ }).isChecked()).toBe(true);
  await form.getByRole('button', { name: 'Invite' }).click();
  const shown = owner.page.getByRole('alertdialog', { name: 'The invitation' });
  const link = (await shown.getByRole('group', { name: 'Link' }).innerText()).trim();
  await owner.call('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });

  const viewer = await stage.open('/keys', { link });
  await viewer.page.getByText('API keys are for owners').waitFor();
  await viewer.goTo('/webhooks');
  await viewer.page.getByText('Endpoints are for editors').waitFor();
  await viewer.goTo('/settings?tab=workspace');
  await viewer.page.getByText('Owners see the owner, the auth token').waitFor();
  await viewer.goTo('/settings?tab=members');
  await viewer.page.getByRole('row', { name: /Bob/ }).waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  expectLog(/Failed to load resource.*\b403\b/);
  await expect(
    viewer.call('/v2/workspace/advancedwebhook/endpoints/get', {}),
    'the service refuses it, too',
  ).rejects.toThrow('role editor');

  await owner.goTo('/settings?tab=members');
  await owner.page.getByRole('button', { name: 'Actions for Bob' }).click();
  await owner.page.getByRole('menuitem', { name: 'Change role' }).click();
  const role = owner.page.getByRole('dialog', { name: 'Role of Bob' });
  await role.getByText('Editor', { exact: false }).click();
  await role.getByRole('button', { name: 'Save' }).click();
  await role.waitFor({ state: 'detached' });
  await viewer.goTo('/webhooks');
  await viewer.page.getByText('No endpoint yet').waitFor();
});

test('an owner replaces the token of the workspace, renames it, and signs in again with the new token', async () => {
  // The old token has begun the session that the other tests share.
  const own = await createConsoleStage();
  const { page } = await own.open('/settings?tab=workspace', { link: await own.link() });
  const workspaceId = await page.getByRole('definition').first().innerText();
  await page.getByRole('button', { name: 'Show the auth token' }).click();
  const old = await page.getByRole('group', { name: 'Auth token of the workspace' }).innerText();
  await page.getByRole('button', { name: 'Replace the auth token' }).click();
  const question = page.getByRole('alertdialog', { name: 'Replace the auth token?' });
  await question.getByRole('button', { name: 'Replace the token' }).click();
  const shown = page.getByRole('alertdialog', { name: 'The new auth token' });
  const token = await shown.getByRole('group', { name: 'Auth token of the workspace' }).innerText();
  expect(token.trim()).not.toBe(old.trim());
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename the workspace' });
  await renaming.getByLabel('Name').fill('Acme Europe');
  await renaming.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('of Acme Europe.').waitFor();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();

  await page.getByText('Sign in with the token of a workspace').click();
  await page.getByLabel('Workspace id').fill(workspaceId.trim());
  await page.getByLabel('Auth token of the workspace').fill(token.trim());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

test('an id is copied where the browser has no clipboard for pages, as over plain http', async () => {
  const { page, apiKeyId } = await stage.open('/keys');
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page
    .getByRole('button', { name: /^Copy the id/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const field = page.getByRole('dialog').getByLabel('Name');
  await field.fill('');
  await field.press('ControlOrMeta+v');
  expect(await field.inputValue()).toBe(apiKeyId);
});

test('a page outlives its session: after the next sign-in, what was written on it is still there', async () => {
  const { page, call } = await stage.open('/reviews', { link: await stage.link() });
  expectLog(/Failed to load resource.*\b401\b/);
  await page.getByRole('button', { name: 'New review' }).click();
  const form = page.getByRole('dialog', { name: 'New review' });
  await form.getByLabel('Pages', { exact: true }).fill('shop.example/prices');
  await call('/v2/session/end', {});
  await form.getByRole('button', { name: 'Start the review' }).click();
  const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
  await ended.getByText('Sign in again as Ada').waitFor();

  const tab = await page.context().newPage();
  await tab.goto(await stage.link());
  await tab.waitForURL(/\/console\/k\//);
  await ended.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Pages', { exact: true }).inputValue()).toBe('shop.example/prices');

  // What an account has written is not for the next one.
  await call('/v2/session/end', {});
  await form.getByRole('button', { name: 'Start the review' }).click();
  await ended.waitFor();
  await tab.goto('about:blank');
  await tab.goto(await stage.link('eve@example.com'));
  await tab.waitForURL(/\/console\/k\//);
  await page.getByRole('button', { name: /^Account: eve/ }).waitFor();
  await expect.poll(() => form.getByLabel('Pages', { exact: true }).inputValue()).toBe('');
});
