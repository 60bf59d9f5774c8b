import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { expectLog } from '../run/log-watch.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';

let stage: ConsoleStage;
let site: Awaited<ReturnType<typeof fakeSite>>;

/** The policy that the documentation of the overlay asks for. */
const policyFor = (service: string) =>
  `default-src 'none'; script-src ${service}; connect-src ${service}; img-src ${service} blob:; trusted-types redpen; require-trusted-types-for 'script'`;

beforeAll(async () => {
  stage = await createConsoleStage();
  const { url } = stage.service;
  site = await fakeSite({
    '/': '<!doctype html><title>Boats</title><h1>Boats</h1>',
    '/overlay': {
      status: 200,
      headers: { 'content-security-policy': policyFor(url) },
      body: `<!doctype html><html lang="en"><title>Boats</title>
        <script type="module" src="${url}/client/overlay.js" data-organization="acme" data-document="harbour"></script>
        <h1>Boats</h1><p>Prices include the tax.</p>`,
    },
  });
});

const NONCE = 'nonce-of-this-test-0001';

/** Opens the popup from a page of another origin, as an overlay does, and keeps what the popup sends. */
async function openPopup(page: Page, origin: string, key: string): Promise<Page> {
  await page.goto(`${site.url}/`);
  const query = new URLSearchParams({ origin, organization: 'acme', document: 'website', nonce: NONCE, key });
  const opened = page.waitForEvent('popup');
  await page.evaluate(
    ([address, nonce]) => {
      const messages: unknown[] = [];
      Object.assign(globalThis, { messages });
      const popup = window.open(address, 'redpen-connect', 'popup,width=480,height=640')!;
      window.addEventListener('message', (event) => {
        if (event.source !== popup) return;
        messages.push(event.data);
        if (event.data.type === 'redpen-ready')
          popup.postMessage({ type: 'redpen-connect', nonce }, event.origin);
      });
    },
    [`${stage.service.url}/console/connect?${query}`, NONCE] as const,
  );
  return await opened;
}

const messagesOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { messages: { type: string; token?: string }[] }).messages);

/** Reads annotations as the page does, with the token. */
const readAs = (page: Page, token: string) =>
  page.evaluate(
    async ([url, bearer]) => {
      const response = await fetch(`${url}/v2/commentannotations/get`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ data: { organizationId: 'acme', documentIds: ['website'] } }),
      });
      return response.status;
    },
    [stage.service.url, token] as const,
  );

test('a member lets a page in, which gets a token for its own origin only', async () => {
  const { page, apiKeyId, call } = await stage.open();
  await call('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'website', accessType: 'restricted' }],
  });
  await call('/v2/organizations/documents/access/update', {
    organizationId: 'acme',
    documentIds: ['website'],
    accessType: 'organizationPrivate',
  });
  const { origin } = new URL(site.url);
  const popup = await openPopup(page, origin, apiKeyId);
  await popup.getByRole('heading', { name: `${origin} wants to show comments` }).waitFor();
  const allow = popup.getByRole('button', { name: 'Allow' });
  // Without the focus, a click was meant for another window.
  await popup.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect.poll(() => allow.isDisabled()).toBe(true);
  await popup.evaluate(() => window.dispatchEvent(new Event('focus')));
  const closed = popup.waitForEvent('close');
  await allow.click();
  await closed;
  await expect.poll(async () => (await messagesOf(page)).at(-1)?.type).toBe('redpen-token');
  const { token } = (await messagesOf(page)).at(-1)!;
  expect(await readAs(page, token!)).toBe(200);

  const elsewhere = await fetch(`${stage.service.url}/v2/commentannotations/get`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      origin: 'https://other.example.com',
    },
    body: JSON.stringify({ data: { organizationId: 'acme', documentIds: ['website'] } }),
  });
  expect(elsewhere.status).toBe(403);
});

test('the overlay of a page signs a member in, and shows and takes comments in their name', async () => {
  const { page, call } = await stage.open();
  await call('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'harbour', accessType: 'organizationPrivate' }],
  });
  const place = { organizationId: 'acme', documentId: 'harbour' };
  await call('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      {
        pageInfo: { url: `${site.url}/overlay` },
        targetElement: { targetText: 'include the tax', occurrence: 1 },
        commentData: [{ commentText: 'Which tax?', from: { userId: 'eve', name: 'Eve' } }],
      },
    ],
  });
  // What is closed to pages must be open to tests.
  await page.context().addInitScript(() => {
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (this: Element, options) {
      return attachShadow.call(this, { ...options, mode: 'open' });
    };
  });
  const host = await page.context().newPage();
  await host.goto(`${site.url}/overlay`);
  const opened = host.waitForEvent('popup');
  await host.getByRole('button', { name: 'Sign in with Redpen' }).click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await host.getByRole('button', { name: /^Comment \d+ \(1 of 1\): Which tax\?$/ }).click();
  const card = host.getByRole('dialog', { name: 'Which tax?' });
  await card.getByRole('textbox', { name: 'Reply' }).fill('That of the sale.');
  await host.keyboard.press('Control+Enter');
  const textsOf = async () =>
    (await call('/v2/commentannotations/get', place))[0].comments.map(
      ({ commentText }: { commentText: string }) => commentText,
    );
  await expect.poll(textsOf).toEqual(['Which tax?', 'That of the sale.']);
  // The token is for this tab and origin: another tab asks anew.
  const other = await page.context().newPage();
  await other.goto(`${site.url}/overlay`);
  await other.getByRole('button', { name: 'Sign in with Redpen' }).waitFor();
});

test('a page that names the origin of another one gets nothing, and cancelling sends nothing', async () => {
  const { page, apiKeyId } = await stage.open();
  expectLog(/Failed to execute 'postMessage'.*bank\.example\.com/);
  const liar = await openPopup(page, 'https://bank.example.com', apiKeyId);
  await liar.getByRole('heading', { name: 'Waiting for the page' }).waitFor();
  await liar.evaluate(() => {
    const seen: unknown[] = [];
    Object.assign(globalThis, { seen });
    window.addEventListener('message', ({ data }) => seen.push(data));
  });
  await page.evaluate((nonce) => {
    const popup = window.open('', 'redpen-connect')!;
    popup.postMessage({ type: 'redpen-connect', nonce }, '*');
  }, NONCE);
  const seen = () => liar.evaluate(() => (globalThis as unknown as { seen: unknown[] }).seen.length);
  await expect.poll(seen).toBe(1);
  // The next frame shows what the message has changed.
  await liar.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
  expect(await liar.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  expect(await messagesOf(page)).toEqual([]);
  await liar.close();

  const popup = await openPopup(page, new URL(site.url).origin, apiKeyId);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await closed;
  expect((await messagesOf(page)).map(({ type }) => type)).not.toContain('redpen-token');
});

test('a window that no page has opened says so', async () => {
  const { page } = await stage.open();
  const query = new URLSearchParams({ origin: site.url, organization: 'acme', nonce: NONCE });
  await page.goto(`${stage.service.url}/console/connect?${query}`);
  await page.getByRole('heading', { name: 'Nothing to connect' }).waitFor();
  await page.goto(`${stage.service.url}/console/connect`);
  await page.getByText('The page does not say its origin.').waitFor();
});
