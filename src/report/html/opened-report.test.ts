import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTestContext } from '../../../test/service/test-browser.ts';
import { violationsOn } from '../../../test/web/violations.ts';
import type { Report } from '../report.ts';
import { emptyReport, finding, largeReport, sitePictures, siteReport } from './fixtures/site-report.ts';
import { renderHtml } from './render-html.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

/** Opens the report as a file in a browser that runs no scripts of pages. */
async function open(report: Report, options: BrowserContextOptions = {}): Promise<Page> {
  const file = join(folder, 'report.html');
  await writeFile(file, renderHtml(report, { pictures: sitePictures }));
  const context = await newTestContext({ javaScriptEnabled: false, viewport: WIDE, ...options });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  return page;
}

const visible = async (page: Page, selector: string): Promise<string[]> => {
  const found = await page.locator(selector).all();
  const shown = await Promise.all(
    found.map(async (one) => ((await one.isVisible()) ? await one.getAttribute('id') : null)),
  );
  return shown.filter((id) => id !== null);
};

test('the file loads nothing, and its policy stops nothing that it has', async () => {
  const file = join(folder, 'quiet.html');
  const hostile = '"><img src="http://127.0.0.1:9/x"><script src="http://127.0.0.1:9/y"></script>';
  const report = siteReport();
  const findings = [...report.findings, finding(10, { title: hostile, htmlSnippet: hostile })];
  await writeFile(file, renderHtml({ ...report, findings }, { pictures: sitePictures }));
  const page = await (await newTestContext()).newPage();
  const requests: string[] = [];
  const messages: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(error.message));
  await page.goto(pathToFileURL(file).href);
  expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href]);
  expect(messages).toEqual([]);
  expect(
    await page.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
  ).toEqual([1, 1, 1]);
});

test('pins stand at what they mean, apart from each other, and lead to their finding and back', async () => {
  const page = await open(siteReport());
  const canvas = (await page.locator('.canvas').first().boundingBox())!;
  const scale = canvas.width / 1366;
  const outline = (id: string) =>
    page.locator(id).evaluate((pin) => {
      const { left, top } = pin.getBoundingClientRect();
      const of = getComputedStyle(pin, '::before');
      const sizes = [of.left, of.top, of.width, of.height].map(Number.parseFloat);
      return { x: left + sizes[0]!, y: top + sizes[1]!, width: sizes[2]!, height: sizes[3]! };
    });
  for (const id of ['#pin-1', '#pin-2']) {
    const box = await outline(id);
    expect(Math.abs(box.x - canvas.x - 300 * scale)).toBeLessThan(1.5);
    expect(Math.abs(box.y - canvas.y - 1400 * scale)).toBeLessThan(1.5);
    expect(Math.abs(box.width - 200 * scale)).toBeLessThan(1.5);
    expect(Math.abs(box.height - 100 * scale)).toBeLessThan(1.5);
  }
  const [one, two] = [
    (await page.locator('#pin-1').boundingBox())!,
    (await page.locator('#pin-2').boundingBox())!,
  ];
  expect(
    one.x + one.width <= two.x ||
      two.x + two.width <= one.x ||
      one.y + one.height <= two.y ||
      two.y + two.height <= one.y,
  ).toBe(true);

  const marked = (id: string) =>
    page.locator(id).evaluate((one) => getComputedStyle(one).getPropertyValue('--chosen').trim());
  await page.locator('#pin-1').click();
  expect(new URL(page.url()).hash).toBe('#finding-1');
  expect([await marked('#finding-1'), await marked('#pin-1'), await marked('#finding-2')]).toEqual([
    '2px',
    '3px',
    '',
  ]);
  await page.locator('#finding-2 .number').click();
  expect(new URL(page.url()).hash).toBe('#pin-2');
  expect([await marked('#finding-2'), await marked('#finding-1')]).toEqual(['2px', '']);
});

test('filters hide findings, pins and pages, alone and together', async () => {
  const page = await open(siteReport());
  const shown = () => visible(page, '.one[id]');
  // In the order of the page: the gravest of each section decides, and within it the severity.
  const all = ['finding-1', 'finding-2', 'finding-4', 'finding-3', 'finding-5', 'finding-6', 'finding-7'];
  expect(await shown()).toEqual(all);
  expect(await page.locator('.filter-result').isVisible()).toBe(false);

  await page.locator('#severity-critical').focus();
  await page.keyboard.press('Space');
  expect(await shown()).toEqual(['finding-1']);
  expect(await visible(page, '.pin')).toEqual(['pin-1']);
  expect(await page.locator('.across').isVisible()).toBe(false);
  expect(await page.locator('.filter-result').isVisible()).toBe(true);

  await page.locator('.filter-result button').click();
  expect(await shown()).toEqual(all);
  await page.locator('#page-filter').selectOption({ label: '/boats (2)' });
  expect(await shown()).toEqual(['finding-6', 'finding-7']);
  await page.locator('#page-filter').selectOption('');
  await page.locator('#agent-filter').selectOption({ label: 'Spell check (2)' });
  expect(await shown()).toEqual(['finding-2', 'finding-3']);
  await page.locator('#new-only').check();
  expect(await shown()).toEqual([]);
  await page.locator('#agent-filter').selectOption('');
  expect(await shown()).toEqual(['finding-1']);
});

/** All text, with that of the style sheet, as assistive technology reads it. */
const spoken = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ role }) => role?.value === 'StaticText')
    .map(({ name }) => name?.value)
    .join('');
};

test('a line says how many findings pass the filters, and when there is none', async () => {
  const page = await open(siteReport());
  expect(await spoken(page)).not.toContain('matches');
  await page.locator('#agent-filter').selectOption({ label: 'Spell check (2)' });
  expect(await spoken(page)).toContain('2 of 7 findings');
  expect(await spoken(page)).not.toContain('No finding matches');
  await page.locator('#new-only').check();
  expect(await spoken(page)).toContain('0 of 7 findings');
  expect(await spoken(page)).toContain('No finding matches these filters.');
});

test('the picture is folded on narrow screens, and a link to a pin opens it', async () => {
  const page = await open(siteReport(), { viewport: NARROW });
  expect(await page.locator('#pin-1').isVisible()).toBe(false);
  await page.locator('#finding-1 .number').click();
  await expect.poll(() => page.locator('#pin-1').isVisible()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW.width);
});

test('a report with 5,000 findings opens and is filtered', async () => {
  const page = await open(largeReport(5_000));
  await page.locator('#severity-info').focus();
  await page.keyboard.press('Space');
  expect(await page.locator('#severity-info').isChecked()).toBe(true);
  expect(await page.locator('#finding-2').isVisible()).toBe(false);
  expect(await page.locator('#finding-5').isVisible()).toBe(true);
});

const failing = emptyReport({
  verdict: 'broken',
  agents: [{ ...emptyReport().agents[0]!, verdict: 'broken', error: 'The browser ended.' }],
  pages: [{ url: 'https://example.com/', status: 'failed', problems: [] }],
  gate: { failOn: 'low', onlyNew: false, passed: false, reasons: ['No page could be reviewed.'] },
});

const VIEWS: BrowserContextOptions[] = [
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: NARROW, colorScheme: 'dark' },
];

test.each([
  ['a site', siteReport()],
  ['no findings', emptyReport({ gate: { failOn: 'low', onlyNew: false, passed: true, reasons: [] } })],
  ['a failed agent', failing],
  ['many findings', largeReport(25)],
])(
  'axe-core finds nothing in either color scheme and width, folded, open and filtered: %s',
  async (_, report) => {
    for (const view of VIEWS) {
      // axe-core needs timers, which stand still without scripts; those of the page's own would be refused all the same.
      const page = await open(report, { ...view, javaScriptEnabled: true });
      expect(await violationsOn(page)).toEqual([]);
      const folds = page.locator('details:not([open]) > summary');
      for (let left = await folds.count(); left > 0; left--) {
        const fold = folds.first();
        await fold.evaluate((summary) => summary.parentElement!.setAttribute('open', ''));
      }
      expect(await violationsOn(page)).toEqual([]);
      if (await page.locator('#severity-info').isVisible()) {
        await page.locator('#severity-info').check({ force: true });
        expect(await violationsOn(page)).toEqual([]);
      }
    }
  },
);
