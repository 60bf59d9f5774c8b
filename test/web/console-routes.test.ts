import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { isThorough } from '../run/rounds.ts';
import { type ConsoleStage, type ConsoleWindow, createConsoleStage } from './console-stage.ts';
import { violationsOn } from './violations.ts';

const root = join(import.meta.dirname, '../..');
const PAGE = `<!doctype html><html lang="en"><title>Boats</title><body><main><h1>Boats</h1>
<p>We recieve guests.</p><img src="/boat.png"><a href="/gone">Gone</a></main></body></html>`;

/** Paths of the pages of an API key, as the router lists them. */
const paths = [
  ...readFileSync(join(root, 'packages/console/src/router.tsx'), 'utf8').matchAll(/\['(\/[^']*)', \(\) =>/g),
].map(([, path]) => path!);

let stage: ConsoleStage;
let site: Awaited<ReturnType<typeof fakeSite>>;
/** What stands for the ids in paths. */
const ids: Record<string, string> = { $organizationId: 'acme', $documentId: 'website' };

beforeAll(async () => {
  site = await fakeSite({ '/': PAGE });
  stage = await createConsoleStage();
  const { call, page } = await stage.open();
  await call('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'website', documentName: 'Website' }],
  });
  const { agentId } = await call('/v2/agents/create', {
    name: 'Links',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  });
  const { reviewId } = await call('/v2/reviews/run', {
    urls: [`${site.url}/`],
    agents: ['spell-check', 'accessibility-checker', agentId],
    organizationId: 'acme',
    documentId: 'website',
  });
  Object.assign(ids, { $agentId: agentId, $reviewId: reviewId });
  await stage.endOf(reviewId);
  await page.context().close();
});

/** Waits until the page is there and no request is under way that it shows a placeholder for. */
async function settle({ page }: ConsoleWindow): Promise<void> {
  await page.locator('main h1').waitFor();
  await expect.poll(() => page.locator('main [role="status"][aria-label="Loading"]').count()).toBe(0);
}

test('the router lists the pages', () => expect(paths.length).toBeGreaterThan(15));

test('pages follow each other by the navigation, with what the others have read', async () => {
  const shown = await stage.open();
  const { page } = shown;
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await links.first().waitFor();
  const names = await links.allInnerTexts();
  expect(names.length).toBeGreaterThan(10);
  for (const name of [...names, ...names.toReversed()]) {
    await links.filter({ hasText: name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await settle(shown);
  }
});

test('an address that leads nowhere is answered within the frame', async () => {
  const { page } = await stage.open('/nowhere/at/all');
  await page.getByRole('main').getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
});

test('words of a search stay as they are typed, and reach the address', async () => {
  const { page } = await stage.open('/agents');
  const search = page.getByRole('searchbox', { name: 'Search agents' });
  await search.pressSequentially('links');
  await search.press('Home');
  await search.pressSequentially('broken ');
  expect(await search.inputValue()).toBe('broken links');
  await page.waitForURL(/q=broken/);
  expect(await search.inputValue()).toBe('broken links');
});

test('a chart becomes a table and a chart again', async () => {
  const { page } = await stage.open();
  const name = 'Open findings by day and severity';
  const chart = page.getByRole('group', { name: new RegExp(`^${name}`) }).locator('svg');
  await chart.waitFor();
  await page.getByRole('button', { name: `Show as table: ${name}` }).click();
  await page.getByRole('table', { name }).waitFor();
  await page.getByRole('button', { name: `Show as chart: ${name}` }).click();
  await chart.waitFor();
});

const LOOKS = [
  { colorScheme: 'dark', width: 390, dir: 'ltr' },
  { colorScheme: 'light', width: 1280, dir: 'rtl' },
] as const;

test.each(isThorough ? LOOKS : LOOKS.slice(0, 1))(
  'no page breaks a rule of accessibility, policy or origin: %j',
  async ({ dir, ...look }) => {
    const shown = await stage.open('/', look);
    const found: unknown[] = [];
    const overflowIn = (direction: string) =>
      shown.page.evaluate((to) => {
        document.documentElement.dir = to;
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      }, direction);
    for (const path of paths) {
      await shown.goTo(path.replace(/\$\w+/g, (name) => ids[name]!));
      await settle(shown);
      const overflow = [await overflowIn(dir === 'rtl' ? 'ltr' : 'rtl'), await overflowIn(dir)];
      const violations = await violationsOn(shown.page);
      if (violations.length > 0 || overflow.some((width) => width > 0))
        found.push({ path, overflow, violations });
    }
    expect(found).toEqual([]);
    expect(await shown.page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  },
);
