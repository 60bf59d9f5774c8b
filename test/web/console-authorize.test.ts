import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fakeSite, type Page as SitePage } from '../fakes/site.ts';
import { expectLog } from '../run/log-watch.ts';
import { newTestContext } from '../service/test-browser.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';
import { Keyboard } from './keyboard.ts';
import { violationsOn } from './violations.ts';

let stage: ConsoleStage;
let client: Awaited<ReturnType<typeof fakeSite>>;

const HOSTED = 'https://assistant.example.com/callback';
const VERIFIER = randomBytes(32).toString('base64url');

beforeAll(async () => {
  const pages: Record<string, SitePage> = { '/callback?*': 'Thank you.' };
  client = await fakeSite(pages);
  const document = {
    client_id: `${client.url}/client.json`,
    client_name: 'Boat Helper <b>of Ada</b>',
    redirect_uris: [`${client.url}/callback`, HOSTED],
  };
  pages['/client.json'] = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  };
  stage = await createConsoleStage();
});

/** The address to which a client sends its user. */
const addressWith = (fields: Record<string, string> = {}): string => {
  const query = new URLSearchParams({
    client_id: `${client.url}/client.json`,
    redirect_uri: `${client.url}/callback`,
    response_type: 'code',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'read comment decide review',
    state: 'state & of=this?test',
    resource: `${stage.service.url}/mcp`,
    ...fields,
  });
  return `${stage.service.url}/console/authorize?${query}`;
};

/** Opens the page of consent in a window with a session. */
async function ask(fields: Record<string, string> = {}, options = {}) {
  const shown = await stage.open('/', options);
  await shown.page.goto(addressWith(fields));
  return shown;
}

/** The answer that the client got by its redirect. */
async function answerIn(page: Page, callback = `${client.url}/callback`): Promise<Record<string, string>> {
  await page.waitForURL((url) => url.href.startsWith(callback));
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** The requests that have reached the place to which answers go. */
const callbacks = () => client.requests.filter((request) => request.includes('/callback'));

test('an assistant by keyboard: it says who asks and where the answer goes, and gets a code for the ticked scopes', async () => {
  const { page } = await ask();
  const keys = new Keyboard(page);
  await page.getByRole('heading', { level: 1, name: 'Let Boat Helper <b>of Ada</b> act for you?' }).waitFor();
  await page.getByText(new URL(client.url).host, { exact: true }).first().waitFor();
  await page.getByText('The answer goes to a program on your computer.').waitFor();
  expect(await page.locator('main img').count()).toBe(1);
  expect(await page.getByRole('checkbox', { name: /^Decide/ }).isChecked()).toBe(false);
  await keys.to('checkbox', /^Review/);
  await keys.press('Space');
  await keys.to('checkbox', /^Decide/);
  await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
  await keys.use('button', 'Allow');
  const { code, ...rest } = await answerIn(page);
  expect(rest).toEqual({ state: 'state & of=this?test', iss: stage.service.url });
  expect(code).toMatch(/^[\w-]{20,}$/);
});

test('a hosted assistant gets its answer at its own host, without a warning of this computer', async () => {
  const { page } = await ask({ redirect_uri: HOSTED });
  await page.route('https://assistant.example.com/**', (route) => route.fulfill({ body: 'Thank you.' }));
  await page.getByText('assistant.example.com', { exact: true }).waitFor();
  expect(await page.getByText('a program on your computer').count()).toBe(0);
  await page.getByRole('button', { name: 'Allow' }).click();
  expect((await answerIn(page, HOSTED)).code).toBeDefined();
});

test('a member who denies sends the client away with an error', async () => {
  const { page } = await ask();
  await page.getByRole('button', { name: 'Deny' }).click();
  expect(await answerIn(page)).toMatchObject({ error: 'access_denied', state: 'state & of=this?test' });
});

test('nothing can be allowed while the window has just got the focus', async () => {
  const { page } = await ask();
  const allow = page.getByRole('button', { name: 'Allow' });
  await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.getByRole('button', { name: 'Allow', disabled: true }).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
  for (const name of [/^Read/, /^Comment/, /^Review/]) await page.getByText(name).first().click();
  await expect.poll(() => allow.isDisabled()).toBe(true);
});

test('a visitor signs in first, and is then asked the same', async () => {
  const context = await newTestContext();
  expectLog(/Failed to load resource.*\b401\b/);
  const visitor = await context.newPage();
  await visitor.goto(addressWith());
  await visitor.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  const other = await context.newPage();
  await other.goto(await stage.link());
  await other.waitForURL(/\/console\/k\//);
  // The person comes back to the tab of the assistant.
  await visitor.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await visitor.getByRole('heading', { level: 1, name: /^Let Boat Helper/ }).waitFor();
  await visitor.getByRole('button', { name: 'Deny' }).click();
  expect(await answerIn(visitor)).toMatchObject({ state: 'state & of=this?test' });
});

test('a request that is not to be trusted with an answer ends here, in plain words', async () => {
  expectLog(/Failed to load resource.*\b400\b/);
  const { page } = await ask({ redirect_uri: `${client.url}/elsewhere` });
  const before = callbacks().length;
  await page.getByRole('heading', { level: 1, name: 'This assistant cannot be connected' }).waitFor();
  await page.getByText('The redirect_uri is none of those in the document of the client.').waitFor();
  for (const name of ['Allow', 'Deny']) expect(await page.getByRole('button', { name }).count()).toBe(0);
  expect(await page.getByRole('link', { name: /^Go back/ }).count()).toBe(0);
  await page.goto(addressWith({ client_id: `${client.url}/gone.json` }));
  await page.getByText('The address answers with HTTP 404.', { exact: false }).waitFor();
  await page.goto(`${stage.service.url}/console/authorize`);
  await page.getByText('it has no client_id', { exact: false }).waitFor();
  expect(callbacks().length).toBe(before);
  expect(client.requests.filter((request) => request.includes('/elsewhere'))).toEqual([]);
});

test('other mistakes of a client are named, and the person goes back with them', async () => {
  const { page } = await ask({ code_challenge_method: 'plain' });
  await page.getByText('The code_challenge_method must be S256.').waitFor();
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  await page.getByRole('link', { name: `Go back to ${new URL(client.url).host}` }).click();
  expect(await answerIn(page)).toMatchObject({ error: 'invalid_request', state: 'state & of=this?test' });
});

test('for an address that only reads, nothing else can be given', async () => {
  const { page } = await ask({ resource: `${stage.service.url}/mcp/readonly` });
  await page.getByRole('checkbox', { name: /^Read/ }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(1);
});

test('a member with several API keys chooses the one that the assistant sees', async () => {
  const owner = await stage.open();
  await owner.page.evaluate(async () => {
    const { workspaces } = (
      await (
        await fetch('/v2/session/get', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"data":{}}',
        })
      ).json()
    ).result.data;
    await fetch('/v2/workspace/apikey/create', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-redpen-workspace': workspaces[0].workspaceId },
      body: JSON.stringify({
        data: { ownerEmail: 'ada@example.com', type: 'testing', apiKeyName: 'Staging' },
      }),
    });
  });
  await owner.page.goto(addressWith());
  const keys = new Keyboard(owner.page);
  await keys.choose(/Workspace and API key/, /, Staging$/, 'option');
  const sent = owner.page.waitForRequest('**/v2/oauth/request/allow');
  await owner.page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
  await keys.use('button', 'Allow');
  expect((await sent).headers()['x-redpen-key']).not.toBe(owner.apiKeyId);
  expect((await sent).postDataJSON().data.scopes).toEqual(['read', 'comment', 'review']);
  expect((await answerIn(owner.page)).code).toBeDefined();
});

test.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const)('the page breaks no rule of accessibility, and fits into the window: %j', async (look) => {
  const { page } = await ask({}, look);
  await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
  expect(await violationsOn(page)).toEqual([]);
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow).toBe(0);
  await page.goto(addressWith({ response_type: 'token' }));
  await page.getByRole('link', { name: /^Go back to/ }).waitFor();
  expect(await violationsOn(page)).toEqual([]);
});
