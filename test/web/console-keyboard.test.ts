import { beforeAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { type ConsoleStage, createConsoleStage } from './console-stage.ts';
import { Keyboard } from './keyboard.ts';

const HTML = `<!doctype html><html lang="en"><title>Boats</title><body><main><h1>Boats</h1>
<p>We recieve guests.</p><p>We definately build boats.</p>
<p><a href="/one">One</a> <a href="/two">Two</a> <a href="/three">Three</a></p></main></body></html>`;

let stage: ConsoleStage;
let site: Awaited<ReturnType<typeof fakeSite>>;

beforeAll(async () => {
  site = await fakeSite({ '/': HTML });
  stage = await createConsoleStage();
});

async function open(path?: string) {
  const shown = await stage.open(path);
  await shown.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return { ...shown, keys: new Keyboard(shown.page) };
}

/** Runs a review to its end. */
async function review({ call }: Awaited<ReturnType<typeof open>>): Promise<string> {
  const agents = ['spell-check', 'broken-links'];
  const { reviewId } = await call('/v2/reviews/run', { urls: [`${site.url}/`], agents, screenshots: 'all' });
  await stage.endOf(reviewId);
  return reviewId;
}

test('from a link to the first result by keyboard: a page is named, its finding shown, the project kept', async () => {
  const { page, keys } = await open();
  // Requests under way would be refused without the cookie.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(await stage.link());
  await page.locator('input:focus').waitFor();
  await keys.type(new URL(site.url).host);
  await keys.press('Enter');
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await keys.expectPlace();
  await keys.use('button', /^Finding \d+, /);
  await page.getByRole('button', { expanded: true }).first().waitFor();
  await keys.to('button', 'Keep as project', { key: 'Shift+Tab' });
  await keys.dialog(
    () => keys.press('Enter'),
    'Keep as project',
    async () => {
      await keys.fill('Project name', 'Boat shop');
      await keys.press('Enter');
    },
  );
  await keys.expectSaid('Boat shop is a project now');
  await page.getByText('This is a first look.').waitFor({ state: 'detached' });
  await keys.expectPlace();
});

test('the palette goes to a page and an agent, and the help gives the focus back', async () => {
  const { page, keys } = await open('/reviews');
  await keys.skip();
  await keys.to('button', 'New review');
  await keys.dialog(
    () => keys.press('?'),
    'Keyboard shortcuts',
    () => keys.use('button', 'Close'),
    { opener: 'New review' },
  );
  await keys.find('cron', 'Schedules');
  await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
  await keys.expectPlace();
  await keys.find('broken', 'Broken links');
  await page.getByRole('heading', { level: 1, name: 'Broken links' }).waitFor();
  await keys.expectPlace();
  // The focus is in the page, so that the next stop is none of the navigation.
  await keys.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

test('a review of chosen agents is started by keyboard, and followed to its end', async () => {
  const { page, keys } = await open('/reviews');
  await keys.skip();
  await keys.dialog(
    () => keys.use('button', 'New review'),
    'New review',
    async () => {
      await keys.use('button', 'Start the review');
      await keys.expectSaid('Some fields are not filled in yet.');
      await expect.poll(async () => (await keys.focused()).name).toBe('Pages');
      await keys.type(new URL(site.url).host);
      await keys.to('radio', 'A preset');
      await keys.press('ArrowDown');
      await keys.use('checkbox', 'Broken links', 'Space');
      await keys.use('button', 'Start the review');
    },
  );
  await page.waitForURL(/\/reviews\/review_/);
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await keys.expectPlace();
  await keys.expectSaid('The review has ended');
});

test('on the page of a review, keys walk, decide and undo; pins, export and share are within reach', async () => {
  const shown = await open('/reviews');
  const { page, keys, goTo } = shown;
  await goTo(`/reviews/${await review(shown)}`);
  await page.locator('article').first().waitFor();
  await keys.skip();
  const titles: string[] = [];
  for (const key of ['j', 'j', 'k']) {
    await keys.press(key);
    const before = titles.at(-1);
    await expect.poll(async () => (await keys.focused()).name).not.toBe(before ?? '');
    titles.push((await keys.focused()).name);
  }
  expect(titles[2]).toBe(titles[0]);
  const count = await page.locator('article').count();
  await keys.dialog(
    () => keys.press('r'),
    /^Reject \d+ finding/,
    async () => {
      await keys.to('textbox', /^Reason/);
      await keys.type('The old spelling.');
      await keys.use('button', 'Reject');
    },
  );
  await keys.expectSaid(/findings? rejected/);
  await expect.poll(() => page.locator('article').count()).toBeLessThan(count);
  await keys.expectPlace();
  await keys.useNotice('Undo');
  await expect.poll(() => page.locator('article').count()).toBe(count);
  await keys.expectPlace();
  await keys.press('a');
  await keys.expectSaid(/findings? accepted/);

  await keys.to('button', /^Finding \d+, /, { key: 'Shift+Tab' });
  await keys.press('Home');
  await expect.poll(async () => (await keys.focused()).name).toContain('(1 of ');
  await keys.press('n');
  await expect.poll(async () => (await keys.focused()).name).toContain('(2 of ');
  await keys.press('Enter');
  await page
    .getByRole('button', { name: (await keys.focused()).name })
    .and(page.locator('[aria-current]'))
    .waitFor();
  await keys.to('button', 'Share', { key: 'Shift+Tab' });
  await keys.dialog(
    () => keys.press('Enter'),
    'Share the report',
    async () => {
      await keys.use('button', 'Create a link');
      await keys.use('button', 'Copy the link');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      await keys.press('Escape');
    },
    { opener: 'Share' },
  );
  expect((await fetch(await page.evaluate(() => navigator.clipboard.readText()))).status).toBe(200);
  await keys.to('button', 'Export', { key: 'Shift+Tab' });
  const downloaded = page.waitForEvent('download');
  await keys.choose('Export', /^CSV/);
  expect((await downloaded).suggestedFilename()).toMatch(/\.csv$/);
  await expect.poll(async () => (await keys.focused()).name).toBe('Export');
});

test('in the inbox, several findings are rejected by keyboard with a reason, and taken back', async () => {
  const shown = await open('/findings?group=none&decision=undecided');
  const { page, keys } = shown;
  const rows = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  await rows.first().waitFor();
  const all = await rows.count();
  await keys.skip();
  await keys.use('button', 'High', 'Space');
  const isNarrowed = async () => (await rows.count()) > 0 && (await rows.count()) < all;
  await expect.poll(isNarrowed).toBe(true);
  const count = await rows.count();
  await keys.press('j', 'x', 'j', 'x');
  await keys.expectSaid('2 findings selected');
  await keys.to('button', 'Reject', { key: 'Shift+Tab' });
  await keys.dialog(
    () => keys.press('Enter'),
    'Reject 2 findings',
    async () => {
      await keys.to('textbox', /^Reason/);
      await keys.type('Known.');
      await keys.use('button', 'Reject');
    },
  );
  await expect.poll(() => rows.count()).toBe(count - 2);
  await keys.expectSaid('2 findings rejected');
  await keys.expectPlace();
  await keys.useNotice('Undo');
  await expect.poll(() => rows.count()).toBe(count);
  await keys.expectPlace();
});
