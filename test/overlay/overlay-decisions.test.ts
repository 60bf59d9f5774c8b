import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { until } from '../run/until.ts';
import { holdUndo } from '../web/hold-undo.ts';
import { violationsOn } from '../web/violations.ts';
import {
  createOverlayStage,
  findingAt,
  type HostPage,
  hostPage,
  type OverlayStage,
  PLACE,
  threadAt,
} from './overlay-stage.ts';

const SLIP = '<p id="lead">We build six wooden sea kayaks a year, and recieve guests on Saturdays.</p>';
const BODY = `<main><h1>Boats that know the way home</h1>${SLIP}
<p>Prices include the tax.</p><button type="button">Order a boat</button></main>`;

const pages: Record<string, HostPage> = {
  '/decide': { html: hostPage(BODY, 'data-token-url="/token-ada"') },
  '/gone': { html: hostPage(BODY, 'data-token-url="/token-ada"') },
  '/files': {
    html: hostPage(BODY, 'data-token-url="/token-ada"'),
    policy: "default-src 'none'; script-src SERVICE; connect-src SERVICE 'self'; img-src SERVICE",
  },
  '/look': { html: hostPage(BODY, 'data-token-url="/token-ada"') },
  '/look-ar': { html: hostPage(BODY, 'data-token-url="/token-ada" data-locale="ar"') },
};
let stage: OverlayStage;
beforeAll(async () => {
  stage = await createOverlayStage(pages);
});

const add = (...commentAnnotations: object[]) =>
  stage.tenant.must('/v2/commentannotations/add', { ...PLACE, commentAnnotations });
const threadsOf = (page: string) =>
  stage.tenant.must('/v2/commentannotations/get', { ...PLACE, pageUrl: stage.pageAt(page) });
const suggestionOf = async (page: string, annotationId: string) =>
  (await threadsOf(page)).find((one: { annotationId: string }) => one.annotationId === annotationId)
    .suggestion;

const within = (page: Page, selector: string) => page.locator(`rp-overlay ${selector}`);
const pins = (page: Page) => within(page, '.pin:visible');
const focused = (page: Page) =>
  page.evaluate(() => document.querySelector('rp-overlay')!.shadowRoot!.activeElement?.className ?? '');
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** A profile in which the time to undo does not end by itself. */
async function patientProfile(options?: BrowserContextOptions) {
  const context = await stage.newProfile(options);
  await holdUndo(context);
  return context;
}

test('findings are accepted, rejected with a reason, and decisions undone by the keyboard alone', async () => {
  const url = stage.pageAt('/decide');
  const at = (targetText: string) => ({ targetText, occurrence: 1 });
  await add(
    {
      ...findingAt(url, 'one', { findingType: 'text' }, at('recieve')),
      suggestion: { summary: 'Write: receive' },
    },
    { ...findingAt(url, 'two', { findingType: 'text' }, at('the tax')), suggestion: { summary: 'Name it' } },
    threadAt(url, 'three', { targetElement: at('Order a boat') }),
  );
  const page = await stage.open(await patientProfile(), '/decide');
  await until(async () => (await pins(page).count()) === 3, 'three pins');
  const card = within(page, '.card');
  const decided = within(page, '.decided');

  // Cards are loaded when they are first needed.
  await press(page, 'n');
  await card.waitFor();
  await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await until(async () => /\baccept\b/.test(await focused(page)), 'the focus on Accept');
  await press(page, 'Enter');
  await decided.getByText('Accepted: one').waitFor();
  expect(await pins(page).count()).toBe(2);
  // The focus is on the way back, which opens the card again.
  expect(await focused(page)).toContain('undo');
  await press(page, 'Enter');
  await card.getByText('one', { exact: true }).waitFor();
  await decided.waitFor({ state: 'detached' });
  await until(async () => (await pins(page).count()) === 3, 'three pins again');
  expect(await suggestionOf('/decide', 'one')).toMatchObject({ status: 'pending' });

  await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab');
  await until(async () => /\breject\b/.test(await focused(page)), 'the focus on Reject');
  await press(page, 'Enter');
  await within(page, '.reason input').waitFor();
  // Esc leaves the reason, and not the card.
  await press(page, 'Escape');
  await within(page, '.reason').waitFor({ state: 'detached' });
  expect(await focused(page)).toMatch(/\breject\b/);
  await press(page, 'Enter');
  await page.keyboard.type('A quotation.');
  await press(page, 'Enter');
  await decided.getByText('Rejected: one').waitFor();

  // A later decision sends the one before, and leaving the page sends the last.
  await press(page, 'n', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter');
  await decided.getByText('Accepted: two').waitFor();
  const hasReason = async () => (await suggestionOf('/decide', 'one')).status === 'rejected';
  await until(hasReason, 'the decision at the service');
  expect(await suggestionOf('/decide', 'one')).toMatchObject({
    summary: 'Write: receive',
    rejectReason: 'A quotation.',
    resolvedBy: { userId: 'ada' },
  });
  await press(page, 'z');
  await card.getByText('two', { exact: true }).waitFor();
  await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter');
  await decided.getByText('Accepted: two').waitFor();
  expect(await suggestionOf('/decide', 'two')).toMatchObject({ status: 'pending' });
  await page.goto('about:blank');
  await until(async () => (await suggestionOf('/decide', 'two')).status === 'accepted', 'the last decision');
  expect(await suggestionOf('/decide', 'two')).toMatchObject({ summary: 'Name it' });
});

test('a place that is gone is shown as the agent has seen it', async () => {
  const url = stage.pageAt('/gone');
  const run = { ...PLACE, agentId: 'spell-check', url, screenshots: 'all' };
  const { executionId } = await stage.tenant.must('/v2/agents/execution/run', run);
  const hasEnded = async () =>
    (await stage.tenant.must('/v2/agents/execution/get', { executionId })).execution.status !== 'running';
  await until(hasEnded, 'the run to end');
  pages['/gone']!.html = pages['/gone']!.html.replace(SLIP, '<p>Closed for the winter.</p>');
  const page = await stage.open(await stage.newProfile(), '/gone');
  await until(async () => (await within(page, '.tab').textContent()) === '1 finding', 'the finding');
  await within(page, '.tab').click();
  await within(page, '.entry').click();
  const image = within(page, '.crop image').first();
  await image.waitFor({ state: 'attached' });
  const isLoaded = await image.evaluate(
    async (element: SVGImageElement) => (await fetch(element.href.baseVal)).status,
  );
  expect(isLoaded).toBe(200);
  const frame = await within(page, '.crop rect').evaluate((rect: SVGRectElement) => [
    rect.width.baseVal.value > 20,
    rect.y.baseVal.value > 20,
  ]);
  expect(frame).toEqual([true, true]);
});

/** One red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC',
  'base64',
);

test('files are attached to a comment, and its pictures are shown on a page with a strict policy', async () => {
  const page = await stage.open(await stage.newProfile(), '/files');
  await until(async () => (await within(page, '.tab').textContent()) === 'No comments', 'the overlay');
  await press(page, 'c');
  await within(page, '.hint').waitFor();
  await page.locator('h1').click();
  await within(page, '.composer textarea').fill('Like this.');
  await within(page, '.composer [type=file]').setInputFiles([
    { name: 'colour.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Larch.') },
    { name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('Oak.') },
  ]);
  await within(page, '.composer').getByRole('button', { name: 'Remove wrong.txt' }).click();
  for (const name of ['colour.png', 'notes.txt'])
    await within(page, '.composer')
      .getByRole('button', { name: `Remove ${name}` })
      .waitFor();
  await press(page, 'Control+Enter');
  await until(async () => (await threadsOf('/files')).length === 1, 'the thread');
  await page.reload();
  await pins(page).first().click();
  await within(page, '.card').getByRole('link', { name: 'notes.txt' }).waitFor();
  const picture = within(page, '.card').getByRole('img', { name: 'colour.png' });
  await until(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth === 1), 'the picture');
  expect(await within(page, '.card .files li').count()).toBe(2);
});

const LOOKS: readonly (BrowserContextOptions & { path?: string })[] = [
  { colorScheme: 'light' },
  { colorScheme: 'dark', path: '/look-ar', viewport: { width: 390, height: 800 } },
  { forcedColors: 'active' },
];

test('axe-core finds nothing in light, dark and forced colors, from right to left on a phone', async () => {
  for (const path of ['/look', '/look-ar']) {
    const url = stage.pageAt(path);
    const severities = ['critical', 'high', 'medium', 'low', 'info'];
    const words = ['Boats that', 'We build', 'sea kayaks', 'Prices include', 'Order a boat'];
    await add(
      ...severities.map((severity, at) =>
        findingAt(url, `${severity} ${path}`, { severity, findingType: 'text' }, { targetText: words[at] }),
      ),
      threadAt(url, `comment ${path}`, { targetElement: { targetText: 'guests on Saturdays' } }),
      threadAt(url, `orphan ${path}`, { targetElement: { targetText: 'words that are gone' } }),
      threadAt(url, `page ${path}`, { isPageAnnotation: true }),
    );
  }
  for (const { path = '/look', ...options } of LOOKS) {
    const page = await stage.open(await patientProfile({ ...options, reducedMotion: 'reduce' }), path);
    if (options.colorScheme === 'dark')
      await page.addStyleTag({
        content: ':root { color-scheme: dark; background: #141312; color: #efece9 }',
      });
    await until(async () => (await pins(page).count()) === 6, 'the pins');
    const check = async (what: string) => {
      const found = await violationsOn(page, { within: 'rp-overlay' });
      // Where colors are forced, the system chooses them, and axe-core computes with those of the style sheets.
      const counts = (one: string) => !options.forcedColors || !one.startsWith('color-contrast');
      expect(found.filter(counts), `${what}, ${JSON.stringify(options)}`).toEqual([]);
    };
    await check('pins');
    await within(page, '.tab').click();
    await within(page, '.panel .entry').nth(7).waitFor();
    await check('panel with orphans');
    await within(page, '.panel .entry').last().click();
    await within(page, '.card').waitFor();
    await check('card of an orphan');
    await press(page, 'Escape');
    await within(page, '.panel .entry').first().click();
    await within(page, '.card .reject').click();
    await within(page, '.reason').waitFor();
    await check('reason');
    await press(page, 'Enter');
    await within(page, '.decided').waitFor();
    await check('decision');
    await press(page, 'z');
    await within(page, '.card').waitFor();
    await press(page, 'Escape', 'c');
    await within(page, '.hint').waitFor();
    await check('choice of a place');
    await press(page, 'ArrowDown', 'Enter');
    await within(page, '.composer').waitFor();
    await press(page, 'Control+Enter');
    await check('composer with a problem');
  }
});
