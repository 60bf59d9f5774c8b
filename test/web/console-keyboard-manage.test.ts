import { beforeAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { atEnd } from '../run/at-end.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';
import { Keyboard } from './keyboard.ts';

let stage: ConsoleStage;
let site: Awaited<ReturnType<typeof fakeSite>>;
let receiver: WebhookReceiver;

beforeAll(async () => {
  site = await fakeSite({ '/': '<!doctype html><html lang="en"><title>Boats</title><h1>Boats</h1></html>' });
  receiver = await startWebhookReceiver();
  atEnd(() => receiver[Symbol.asyncDispose]());
  stage = await createConsoleStage();
});

async function open(path: string, options = {}) {
  const shown = await stage.open(path, options);
  await shown.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return { ...shown, keys: new Keyboard(shown.page) };
}

test('agents by keyboard: one begins like a built-in one, is changed, compared and restored', async () => {
  const { page, call, keys } = await open('/agents');
  await keys.skip();
  await keys.choose('Actions of Broken links', 'Start an agent of your own');
  await keys.fill('Name', 'Links of our docs');
  await keys.use('button', 'Create agent');
  await keys.expectSaid('Links of our docs is created.');
  await page.getByRole('heading', { level: 1, name: 'Links of our docs' }).waitFor();
  await keys.expectPlace();
  const agentId = /agents\/(agent_\w+)/.exec(page.url())![1]!;

  await keys.use('summary', 'More');
  await keys.fill('Phase timeout (ms)', '60000');
  await keys.use('button', 'Save');
  await keys.expectSaid('All changes are saved.');
  // The button is disabled until the next change, and must not take the focus away with it.
  await keys.expectPlace();
  expect((await call('/v2/agents/get', { agentId })).agent).toMatchObject({
    version: 2,
    phaseTimeoutMs: 60_000,
  });
  await keys.to('tab', /^Configuration/, { key: 'Shift+Tab' });
  await keys.press('ArrowRight');
  await page.getByRole('tab', { name: /^Versions/, selected: true }).waitFor();
  await expect.poll(async () => (await keys.focused()).name).toMatch(/^Versions/);
  const diff = page.getByRole('region', { name: 'Differences' });
  await diff.getByText(/phaseTimeoutMs/).waitFor();
  await keys.use('button', /^Version 1/);
  await page.getByRole('button', { name: /^Version 1/, pressed: true }).waitFor();
  await keys.dialog(
    () => keys.use('button', 'Restore version 1'),
    'Restore version 1?',
    () => keys.use('button', 'Restore'),
  );
  await keys.expectSaid(/is restored as version/);
  await keys.expectPlace();
});

test('schedules by keyboard: one is created, started, disabled and deleted', async () => {
  const { page, keys } = await open('/schedules');
  await keys.skip();
  await keys.dialog(
    () => keys.use('button', 'New schedule'),
    'New schedule',
    async () => {
      await keys.fill(/^Name/, 'Docs every week');
      await keys.fill('Pages', `${site.url}/`);
      await keys.choose(/Preset/, 'No preset', 'option');
      await keys.use('checkbox', 'Broken links', 'Space');
      await keys.use('button', 'Create schedule');
    },
    { opener: 'New schedule' },
  );
  await keys.expectSaid('The schedule is created.');
  const actions = 'Actions of Docs every week';
  await keys.choose(actions, 'Start now');
  await keys.expectSaid('Docs every week has started.');
  await expect.poll(async () => (await keys.focused()).name).toBe(actions);
  await keys.choose(actions, 'Disable');
  await page
    .getByRole('row', { name: /Docs every week/ })
    .getByText('Disabled')
    .waitFor();
  await keys.dialog(
    () => keys.choose(actions, 'Delete'),
    'Delete Docs every week?',
    () => keys.use('button', 'Delete schedule'),
    { role: 'alertdialog' },
  );
  await keys.expectSaid('Docs every week is deleted.');
  await page.getByText('No schedules yet').waitFor();
  await keys.expectPlace();
  await expect.poll(async () => (await keys.focused()).name).toBe('New schedule');
});

test('documents by keyboard: a comment is written, answered and resolved', async () => {
  const { page, keys } = await open('/documents');
  await keys.skip();
  await keys.dialog(
    () => keys.use('button', 'New organization'),
    'New organization',
    async () => {
      await keys.type('Acme');
      await keys.press('Enter');
    },
  );
  await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor();
  await keys.dialog(
    () => keys.use('button', 'New document'),
    'New document',
    async () => {
      await keys.type('Website');
      await keys.press('Enter');
    },
  );
  await keys.use('link', 'Website');
  await page.getByRole('heading', { name: 'Website', level: 1 }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await keys.expectPlace();
  await keys.use('button', 'New thread');
  await keys.to('textbox', 'Comment');
  await keys.type('Shorter, please.');
  await keys.press('Control+Enter');
  await keys.to('textbox', 'Reply');
  await keys.type('How short?');
  await keys.press('Control+Enter');
  await page.getByText('How short?').first().waitFor();
  await keys.use('button', 'Resolve');
  await keys.expectSaid('Thread resolved');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await keys.expectPlace();
});

test('webhooks by keyboard: a wrong address is announced, a test is sent, a delivery is opened', async () => {
  const { page, keys } = await open('/webhooks');
  const address = receiver.url('/hooks');
  await keys.skip();
  await keys.use('button', 'Turn webhooks on');
  await page.getByText('No endpoint yet').waitFor();
  await keys.expectPlace();
  await keys.dialog(
    () => keys.use('button', 'Add endpoint'),
    'Add endpoint',
    async () => {
      await keys.fill('Address', 'hooks');
      await keys.use('button', 'Add endpoint');
      await keys.expectSaid('Some fields need another value.');
      await expect.poll(async () => (await keys.focused()).name).toBe('Address');
      const described = page.getByRole('textbox', { name: 'Address' });
      await expect.poll(() => described.getAttribute('aria-invalid')).toBe('true');
      await keys.fill('Address', address);
      await keys.press('Enter');
    },
  );
  await keys.expectSaid('The endpoint is created.');
  await keys.dialog(
    () => keys.choose(`Actions for ${address}`, 'Send a test'),
    'Send a test',
    async () => {
      await keys.use('button', 'Send');
      await keys.expectSaid('HTTP 200');
      await keys.use('button', 'Close');
    },
    { opener: `Actions for ${address}` },
  );
  expect(receiver.at('/hooks')).toHaveLength(1);
  await keys.to('tab', 'Endpoints', { key: 'Shift+Tab' });
  await keys.press('ArrowRight');
  await page.getByRole('tab', { name: 'Deliveries', selected: true }).waitFor();
  await keys.dialog(
    () => keys.use('button', 'comment_annotation.add'),
    'comment_annotation.add',
    async () => {
      await page.getByRole('group', { name: 'Message' }).getByText(receiver.at('/hooks')[0]!.id).waitFor();
      await keys.use('button', 'Close');
    },
    { opener: 'comment_annotation.add' },
  );
});

test('keys and settings by keyboard: a token is made, copied and revoked, the theme changes, the person leaves', async () => {
  const { page, keys } = await open('/keys?tab=personal', {
    link: await stage.link(),
  });
  await keys.skip();
  let token = '';
  await keys.use('button', 'Create token');
  await page.getByRole('dialog', { name: 'Create a personal token' }).waitFor();
  await keys.type('Assistant');
  await keys.dialog(
    () => keys.press('Enter'),
    'Your new token',
    async () => {
      await keys.use('button', 'Copy Personal token');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      token = await page.evaluate(() => navigator.clipboard.readText());
      await keys.use('button', 'Close');
    },
    { role: 'alertdialog' },
  );
  expect(token).toMatch(/^rp_/);
  await keys.dialog(
    () => keys.use('button', 'Revoke Assistant'),
    'Revoke Assistant?',
    () => keys.use('button', 'Revoke token'),
    { role: 'alertdialog' },
  );
  await keys.expectSaid('The token is revoked.');
  await page.getByText('No personal token yet').waitFor();
  await keys.expectPlace();
  await expect.poll(async () => (await keys.focused()).name).toBe('Create token');

  await keys.find('settings', 'Settings');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await keys.expectPlace();
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await keys.to('button', /^Account:/, { key: 'Shift+Tab' });
  await keys.choose(/^Account:/, 'Dark theme');
  expect(await theme()).toBe('dark');
  await expect.poll(async () => (await keys.focused()).name).toMatch(/^Account:/);
  await keys.choose(/^Account:/, 'Light theme');
  expect(await theme()).toBe('light');
  await keys.use('button', /^Account:/);
  await keys.to('menuitem', 'Sign out', { key: 'ArrowDown' });
  await keys.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await keys.to('textbox', 'Email');
});
