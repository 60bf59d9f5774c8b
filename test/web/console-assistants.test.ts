import { beforeAll, expect, test } from 'vitest';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';
import { Keyboard } from './keyboard.ts';
import { violationsOn } from './violations.ts';

let stage: ConsoleStage;

beforeAll(async () => {
  stage = await createConsoleStage();
});

const statusWith = async (token: string): Promise<number> => {
  const response = await fetch(`${stage.service.url}/v2/agents/get`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"data":{}}',
  });
  return response.status;
};

test('an assistant by keyboard: chosen, given a token within its configuration, seen at work, revoked', async () => {
  const { page, call, goTo } = await stage.open('/assistants');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const keys = new Keyboard(page);
  await keys.skip();
  await keys.to('radio', /^Claude Code/);
  await keys.press('ArrowRight', 'ArrowRight');
  await expect.poll(() => page.getByRole('radio', { name: /^Cursor/ }).isChecked()).toBe(true);
  expect(await page.getByRole('checkbox', { name: /^Decide/ }).isChecked()).toBe(false);
  await keys.fill('Name', 'Cursor of the office');
  await keys.use('button', 'Create token and configuration');
  await page.getByText('The token is shown only now.', { exact: false }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Set up Cursor');
  await keys.use('button', 'Copy mcp.json');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const file = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  const { url, headers } = file.mcpServers.redpen;
  expect(url).toBe(`${stage.service.url}/mcp`);
  const token = /^Bearer (rp_[\w-]+)$/.exec(headers.Authorization)![1]!;
  const [made] = (await call('/v2/tokens/list', {})).tokens;
  expect(made).toMatchObject({
    name: 'Cursor of the office',
    scopes: ['read', 'comment', 'review'],
    isAssistant: true,
  });
  expect(made.expiresAt - made.createdAt).toBeCloseTo(90 * 86_400_000, -4);

  await page.getByText('Waiting for the first request of Cursor').waitFor();
  expect(await statusWith(token)).toBe(200);
  await keys.expectSaid('Connected: Cursor has sent its first request.');
  await keys.use('button', 'Done');
  await page.getByRole('radio', { name: /^Cursor/ }).waitFor({ state: 'attached' });
  await keys.expectPlace();
  expect(await page.content()).not.toContain(token);

  await goTo('/keys?tab=personal');
  await page.getByRole('row', { name: /^Cursor of the office Assistant / }).waitFor();
  await goTo('/assistants');
  await keys.skip();
  await keys.dialog(
    () => keys.use('button', 'Revoke Cursor of the office'),
    'Revoke Cursor of the office?',
    () => keys.use('button', 'Revoke token'),
    { role: 'alertdialog' },
  );
  await keys.expectSaid('The token is revoked.');
  await page.getByText('No assistant is connected yet.').waitFor();
  await keys.expectPlace();
  expect(await statusWith(token)).toBe(401);
});

test('a token that no assistant uses is not among the connected assistants', async () => {
  const { page, call, goTo } = await stage.open('/assistants');
  const { personalToken } = await call('/v2/tokens/create', { name: 'Nightly export', scopes: ['read'] });
  await goTo('/keys?tab=personal');
  const row = page.getByRole('row', { name: /^Nightly export / });
  expect(await row.innerText()).not.toContain('Assistant');
  await goTo('/assistants');
  await page.getByText('No assistant is connected yet.').waitFor();
  await call('/v2/tokens/revoke', { tokenId: personalToken.tokenId });
});

test('read-only takes another address and leaves one scope, and hosted assistants are said to be out of reach', async () => {
  const { page, call } = await stage.open('/assistants');
  await page.getByText('Read-only:', { exact: false }).click();
  for (const name of [/^Comment/, /^Review/, /^Decide/]) {
    const box = page.getByRole('checkbox', { name });
    expect([name, await box.isDisabled(), await box.isChecked()]).toEqual([name, true, false]);
  }
  await page.getByRole('radiogroup').getByText('Claude, ChatGPT').click();
  await page.getByText(`Hosted assistants cannot reach ${stage.service.url}`, { exact: false }).waitFor();
  const address = page.getByRole('group', { name: 'Address' });
  expect((await address.innerText()).trim()).toBe(`${stage.service.url}/mcp/readonly`);
  expect(await page.getByRole('button', { name: 'Create token and configuration' }).count()).toBe(0);

  await page.getByRole('radiogroup').getByText('Codex CLI').click();
  await page.getByRole('button', { name: 'Create token and configuration' }).click();
  const config = page.getByRole('group', { name: 'config.toml' });
  expect(await config.innerText()).toContain(`url = "${stage.service.url}/mcp/readonly"`);
  expect(await page.getByRole('group', { name: 'To check' }).count()).toBe(0);
  const [made] = (await call('/v2/tokens/list', {})).tokens;
  expect(made).toMatchObject({ name: 'Codex CLI', scopes: ['read'], isAssistant: true });
  await call('/v2/tokens/revoke', { tokenId: made.tokenId });
});

test('a viewer can only let an assistant read', async () => {
  const owner = await stage.open('/assistants');
  await owner.goTo('/settings?tab=members');
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  const form = owner.page.getByRole('dialog', { name: 'Invite a member' });
  await form.getByLabel('Email').fill('bob@example.com');
  await form.getByLabel('Name').fill('Bob');
  await form.getByRole('button', { name: 'Invite' }).click();
  const invitation = owner.page.getByRole('alertdialog', { name: 'The invitation' });
  const link = (await invitation.getByRole('group', { name: 'Link' }).innerText()).trim();
  const { page, call } = await stage.open('/assistants', { link });
  await page.getByRole('switch', { name: /^Read-only/, checked: true }).waitFor({ state: 'attached' });
  expect(await page.getByRole('switch', { name: /^Read-only/ }).isDisabled()).toBe(true);
  expect(await page.getByRole('checkbox', { name: /^Comment/ }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Create token and configuration' }).click();
  await page.getByRole('group', { name: 'Command' }).getByText('/mcp/readonly', { exact: false }).waitFor();
  const [made] = (await call('/v2/tokens/list', {})).tokens;
  expect(made.scopes).toEqual(['read']);
});

test('an address without a key leads to the page of the first one', async () => {
  const { page, apiKeyId } = await stage.open();
  await page.goto(`${stage.service.url}/console/assistants`);
  await page.getByRole('heading', { level: 1, name: 'Assistants' }).waitFor();
  expect(page.url()).toBe(`${stage.service.url}/console/k/${encodeURIComponent(apiKeyId)}/assistants`);
});

test.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const)('no step breaks a rule of accessibility, or is wider than the window: %j', async (look) => {
  const { page, call } = await stage.open('/assistants', look);
  const check = async (step: string) => {
    // What a pressed button has announced stays for a while, and names the button, which is gone.
    expect(await violationsOn(page, { without: '[data-live-announcer]' }), step).toEqual([]);
    const overflow = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect([step, overflow]).toEqual([step, 0]);
  };
  await page.getByRole('radiogroup').getByText('Claude, ChatGPT').click();
  await page.getByRole('group', { name: 'Address' }).waitFor();
  await check('hosted');
  await page.getByRole('radiogroup').getByText('Gemini CLI').click();
  await page.getByRole('button', { name: 'Create token and configuration' }).click();
  await page.getByText('Waiting for the first request').waitFor();
  await page.getByRole('row', { name: /^Gemini CLI/ }).waitFor();
  await check('configuration');
  const [made] = (await call('/v2/tokens/list', {})).tokens;
  await call('/v2/tokens/revoke', { tokenId: made.tokenId });
});
