import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { forwardTo } from '../service/forwarder.ts';
import { sharedService } from '../service/worker-service.ts';
import {
  createOverlayStage,
  findingAt,
  hostPage,
  type OverlayStage,
  PLACE,
  threadAt,
} from './overlay-stage.ts';

const BODY = `<header><a href="/">Saltmarsh Kayaks</a></header><main>
<h1>Boats that know the way home</h1>
<p id="lead">We build six wooden sea kayaks a year, and recieve guests on Saturdays.</p>
<p class="tax">Prices include the tax.</p>
<button type="button" class="buy">Order a boat</button>
<div hidden><p>Nobody sees this.</p></div>
<section><h2>Further down</h2>${'<p>The loft is open, and the tide tables are written anew each week.</p>'.repeat(40)}
<p>Last words of the page.</p></section></main>`;

const STRICT =
  "default-src 'none'; script-src SERVICE; connect-src SERVICE; img-src SERVICE blob:; trusted-types redpen; require-trusted-types-for 'script'";
const LIKE_ISSUE = "default-src 'none'; script-src SERVICE; connect-src SERVICE; img-src SERVICE blob:";

declare global {
  interface Window {
    redpenOverlay?: { hide: () => void; show: () => void };
  }
}

const withToken = { html: hostPage(BODY, 'data-token-url="/token-ada"') };
let stage: OverlayStage;
beforeAll(async () => {
  stage = await createOverlayStage({
    '/ada': withToken,
    '/shared': withToken,
    '/words': withToken,
    '/keys': withToken,
    '/route': withToken,
    '/strict': { html: hostPage(BODY), policy: LIKE_ISSUE },
    '/typed': { html: hostPage(BODY), policy: STRICT },
  });
});

const add = (...commentAnnotations: object[]) =>
  stage.tenant.must('/v2/commentannotations/add', { ...PLACE, commentAnnotations });
const listed = (page: string, { tenant, pageAt } = stage) =>
  tenant.must('/v2/commentannotations/get', { ...PLACE, pageUrl: pageAt(page) });

const pins = (page: Page) => page.locator('rp-overlay .pin:visible');
const namesOf = (page: Page) =>
  pins(page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!;

test('pins are at their words and elements in reading order, and what is gone is listed as an orphan', async () => {
  const url = stage.pageAt('/ada');
  await add(
    threadAt(url, 'about the button', {
      targetElement: {
        selector: '.buy',
        look: { role: 'button', text: 'Order a boat', attributes: { type: 'button' } },
        point: { x: 0.5, y: 0.5 },
      },
    }),
    threadAt(url, 'about prices', { targetElement: { targetText: 'include the tax', occurrence: 1 } }),
    threadAt(url, 'about nothing', { targetElement: { targetText: 'words that are gone', occurrence: 1 } }),
    findingAt(
      url,
      'A slip',
      { findingType: 'text', textBefore: 'sea kayaks a year, and', textAfter: 'guests on Saturdays.' },
      { targetText: 'recieve', occurrence: 1 },
    ),
  );
  const page = await stage.open(await stage.newProfile(), '/ada');
  await until(async () => (await pins(page).count()) === 3, 'three pins');
  expect(await namesOf(page)).toEqual([
    'Finding 4 (1 of 3), high: A slip',
    'Comment 2 (2 of 3): about prices',
    'Comment 1 (3 of 3): about the button',
  ]);
  const [button, last] = [await boxOf(page, '.buy'), (await pins(page).nth(2).boundingBox())!];
  expect(Math.abs(last.x + last.width / 2 - button.x - button.width / 2)).toBeLessThan(2);
  expect(Math.abs(last.y + last.height / 2 - button.y - button.height / 2)).toBeLessThan(2);

  const tab = page.locator('rp-overlay .tab');
  expect(await tab.textContent()).toBe('1 finding, 3 comments');
  await tab.click();
  const orphans = page.locator('rp-overlay .panel h3', { hasText: 'Not on this page any more' });
  await orphans.waitFor();
  expect(await orphans.locator('xpath=following-sibling::ul[1]').textContent()).toContain('about nothing');
});

test('N and P walk through the pins, and Esc gives the focus back', async () => {
  const url = stage.pageAt('/keys');
  await add(
    threadAt(url, 'first', { targetElement: { targetText: 'Boats that know', occurrence: 1 } }),
    threadAt(url, 'far down', { targetElement: { targetText: 'Last words of the page', occurrence: 1 } }),
  );
  const page = await stage.open(await stage.newProfile(), '/keys');
  await until(async () => (await pins(page).count()) === 2, 'both pins');
  const card = page.locator('rp-overlay .card');
  await page.keyboard.press('n');
  await until(async () => (await card.getAttribute('aria-label')) === 'first', 'the first card');
  await page.keyboard.press('n');
  await until(async () => (await card.getAttribute('aria-label')) === 'far down', 'the second card');
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  await page.keyboard.press('p');
  await until(async () => (await card.getAttribute('aria-label')) === 'first', 'the first card again');
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });
  await pins(page).first().focus();
  await page.keyboard.press('Enter');
  await card.waitFor();
  await page.keyboard.press('Escape');
  const focused = () =>
    page.evaluate(() => document.querySelector('rp-overlay')!.shadowRoot!.activeElement?.className);
  await until(async () => /\bpin\b/.test((await focused()) ?? ''), 'the focus on the pin');
});

test('a comment is written with the keyboard alone, and another browser shows it', async () => {
  const ada = await stage.open(await stage.newProfile(), '/shared');
  const other = await stage.open(await stage.newProfile(), '/shared');
  for (const page of [ada, other])
    await until(
      async () => (await page.locator('rp-overlay .tab').textContent()) === 'No comments',
      'the overlay',
    );
  await ada.keyboard.press('c');
  await ada.locator('rp-overlay .hint').waitFor();
  await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('Enter');
  const field = ada.locator('rp-overlay .composer textarea');
  await field.waitFor();
  await ada.keyboard.type('Shorter, please.');
  await ada.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  // A draft survives Esc, for what it is about.
  await ada.keyboard.press('c');
  await ada.locator('rp-overlay .hint').waitFor();
  await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('Enter');
  await field.waitFor();
  expect(await field.inputValue()).toBe('Shorter, please.');
  await ada.keyboard.press('Control+Enter');
  for (const shown of [ada, other]) await until(async () => (await pins(shown).count()) === 1, 'the pin');
  const isNumbered = async () =>
    /^Comment \d+ \(1 of 1\): Shorter, please\.$/.test((await namesOf(other))[0] ?? '');
  await until(isNumbered, 'the number of the comment');
  const [thread] = await listed('/shared');
  expect(thread).toMatchObject({
    from: { userId: 'ada' },
    targetElement: { look: { role: 'heading', text: 'Boats that know the way home' } },
    pageInfo: { url: stage.pageAt('/shared'), deviceInfo: { width: 1280 } },
    screenWidth: 1280,
  });
});

test('a comment on selected words keeps the words, and stays with them when the page changes', async () => {
  const page = await stage.open(await stage.newProfile(), '/words');
  await until(
    async () => (await page.locator('rp-overlay .tab').textContent()) === 'No comments',
    'the overlay',
  );
  await page.evaluate(() => {
    const { firstChild } = document.querySelector('.tax')!;
    getSelection()!.setBaseAndExtent(firstChild!, 7, firstChild!, 22);
  });
  await page.keyboard.press('c');
  await page.locator('rp-overlay .composer textarea').fill('Which tax?');
  await page.keyboard.press('Control+Enter');
  await until(async () => (await listed('/words')).length === 1, 'the thread');
  const [thread] = await listed('/words');
  expect(thread.targetElement).toMatchObject({
    targetText: 'include the tax',
    occurrence: 1,
    textBefore: expect.stringMatching(/Prices$/),
  });
  await page.evaluate(() => {
    const tax = document.querySelector('.tax')!;
    document.querySelector('main')!.append(tax);
    tax.className = 'x1';
    tax.textContent = 'All prices include the tax.';
  });
  await until(async () => {
    const pin = await pins(page).first().boundingBox();
    const words = await page.locator('.x1').boundingBox();
    return pin && words && Math.abs(pin.y + pin.height / 2 - words.y) < 12;
  }, 'the pin at the moved words');
  await page.locator('.x1').evaluate((element) => element.remove());
  await until(async () => (await pins(page).count()) === 0, 'no pin');
});

test.each(['/strict', '/typed'])(
  'on a page with a strict policy people sign in in a window of the service: %s',
  async (path) => {
    const url = stage.pageAt(path);
    await add(
      threadAt(url, `on ${path}`, { targetElement: { targetText: 'include the tax', occurrence: 1 } }),
    );
    const context = await stage.newProfile();
    const token = await stage.tenant.token('eve');
    // The page of the console: first it sends what an attacker might send, and then the token.
    await context.route(`${stage.service.url}/console/connect?*`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>
          const query = new URLSearchParams(location.search);
          const [origin, nonce] = [query.get('origin'), query.get('nonce')];
          const send = (said, token) => opener.postMessage({ type: 'redpen-token', nonce: said, token }, origin);
          addEventListener('message', (event) => {
            if (event.origin !== origin || event.data.type !== 'redpen-connect') return;
            if (event.data.nonce !== nonce) return;
            send('guessed', 'wrong');
            send(nonce, 7);
            send(nonce, ${JSON.stringify(token)});
          });
          opener.postMessage({ type: 'redpen-ready', nonce }, origin);
        </script>`,
      }),
    );
    const page = await stage.open(context, path);
    const tab = page.locator('rp-overlay .tab');
    await tab.waitFor();
    expect(await tab.textContent()).toBe('Sign in with Redpen');
    expect(await pins(page).count()).toBe(0);
    await tab.click();
    await until(async () => (await pins(page).count()) === 1, 'the pin');
    await pins(page).first().click();
    await page.locator('rp-overlay .card').waitFor();
    // The token stays in this tab.
    await page.reload();
    await until(async () => (await pins(page).count()) === 1, 'the pin after a reload');
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  },
);

test('what is written without a connection is sent in its order and once, even if answers are lost', async () => {
  const way = await forwardTo((await sharedService()).url);
  const away = await createOverlayStage({ '/away': withToken }, { address: way.url });
  const page = await away.open(await away.newProfile(), '/away');
  await until(
    async () => (await page.locator('rp-overlay .tab').textContent()) === 'No comments',
    'the overlay',
  );
  // What the composer needs is loaded with the first comment.
  await page.keyboard.press('c');
  await page.locator('rp-overlay .hint').waitFor();
  await page.keyboard.press('Escape');
  expectLog(/Failed to load resource/);
  way.shut();
  const texts = Array.from({ length: 10 }, (_, index) => `Written on the way, ${index + 1}`);
  for (const [index, text] of texts.entries()) {
    await page.keyboard.press('c');
    await page.locator('rp-overlay .hint').waitFor();
    await page
      .locator('section p')
      .nth(index)
      .click({ position: { x: 300, y: 8 } });
    await page.locator('rp-overlay .composer textarea').fill(text);
    await page.keyboard.press('Control+Enter');
    await until(async () => (await pins(page).count()) === index + 1, 'the pin at once');
  }
  await page.locator('rp-overlay .tab').click();
  await page.locator('rp-overlay .notice', { hasText: '10 changes wait' }).waitFor();
  const lost = new Set<string>();
  await page.route('**/v2/commentannotations/add', async (route) => {
    const key = route.request().headers()['idempotency-key']!;
    const response = await route.fetch().catch(() => undefined);
    if (!response || !lost.has(key)) await route.abort();
    else await route.fulfill({ response });
    if (response) lost.add(key);
  });
  way.open();
  const waiting = page.locator('rp-overlay .notice', { hasText: /wait/ });
  await waiting.waitFor({ state: 'detached' });
  expect(lost.size).toBe(10);
  const threads: { annotationNumber: number; comments: { commentText: string }[] }[] = await listed(
    '/away',
    away,
  );
  const inOrder = threads.toSorted((one, other) => one.annotationNumber - other.annotationNumber);
  expect(inOrder.map(({ comments }) => comments.map(({ commentText }) => commentText))).toEqual(
    texts.map((text) => [text]),
  );
});

test('it is hidden by a key, by the page and by the address, and moves nothing on the page', async () => {
  const context = await stage.newProfile();
  await context.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const page = await stage.open(context, '/ada');
  await until(async () => (await pins(page).count()) === 3, 'three pins');
  const host = page.locator('rp-overlay');
  const isHidden = () => host.evaluate((element) => (element as HTMLElement).hidden);
  expect(await isHidden()).toBe(false);
  await page.keyboard.press('Alt+Shift+R');
  expect(await isHidden()).toBe(true);
  await page.evaluate(() => window.redpenOverlay!.show());
  expect(await isHidden()).toBe(false);
  await page.evaluate(() => window.redpenOverlay!.hide());
  expect(await isHidden()).toBe(true);
  const size = await page.evaluate(() => [
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ...(window as unknown as { shifts: number[] }).shifts,
  ]);
  expect(size).toEqual([0]);
  await page.goto(stage.pageAt('/ada?redpen=off'));
  await page.waitForLoadState('networkidle');
  expect(await page.locator('rp-overlay').count()).toBe(0);
});

test('the tab is dragged into another corner, and stays there', async () => {
  const page = await stage.open(await stage.newProfile(), '/ada');
  const tab = page.locator('rp-overlay .bottom-right .tab');
  const box = (await tab.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(300, 300, { steps: 4 });
  await page.mouse.move(100, 60, { steps: 4 });
  await page.mouse.up();
  await page.locator('rp-overlay .top-left .tab').waitFor();
  expect(await page.locator('rp-overlay .panel').count()).toBe(0);
  await page.reload();
  await page.locator('rp-overlay .top-left .tab').waitFor();
});

test('an application that changes its address shows the comments of the new page', async () => {
  await add(
    threadAt(stage.pageAt('/other'), 'elsewhere', {
      targetElement: { targetText: 'include the tax', occurrence: 1 },
    }),
  );
  const page = await stage.open(await stage.newProfile(), '/route');
  await until(
    async () => (await page.locator('rp-overlay .tab').textContent()) === 'No comments',
    'the overlay',
  );
  await page.evaluate(() => history.pushState(null, '', '/other'));
  await until(
    async () => /^Comment \d+ \(1 of 1\): elsewhere$/.test((await namesOf(page))[0] ?? ''),
    'the pin',
  );
});
