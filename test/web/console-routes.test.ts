import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { until } from '../until.ts';
import { type ConsoleStage, type ConsoleWindow, createConsoleStage } from './console-stage.ts';

const root = join(import.meta.dirname, '../..');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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
  stage = await createConsoleStage({ REDPEN_ALLOW_HOSTS: new URL(site.url).host });
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
  const hasEnded = async () => (await call('/v2/reviews/get', { reviewId })).review.status === 'ended';
  await until(hasEnded, 'the review to end');
  await page.context().close();
});
afterAll(async () => {
  await stage?.close();
  await site?.close();
});

interface Violation {
  id: string;
  targets: string[];
}

/** Rules of axe-core that the page breaks, with the places where. */
async function violationsOf({ page }: ConsoleWindow): Promise<Violation[]> {
  await page.evaluate(axe);
  return await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe-core puts itself there.
    const { violations } = await (globalThis as any).axe.run();
    return violations.map(({ id, nodes }: { id: string; nodes: { target: string[] }[] }) => ({
      id,
      targets: nodes.map(({ target }) => target.join(' ')),
    }));
  });
}

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
  expect(shown.problems).toEqual([]);
  await page.context().close();
});

test('an address that leads nowhere is answered within the frame', async () => {
  const { page } = await stage.open('/nowhere/at/all');
  await page.getByRole('main').getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  await page.context().close();
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
  await page.context().close();
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
  await page.context().close();
});

const surroundings = [
  { colorScheme: 'light', width: 1280, dir: 'ltr' },
  { colorScheme: 'dark', width: 390, dir: 'ltr' },
  { colorScheme: 'dark', width: 1280, dir: 'rtl' },
  { colorScheme: 'light', width: 390, dir: 'rtl' },
] as const;

for (const { colorScheme, width, dir } of surroundings) {
  test(`no page breaks a rule of accessibility, policy or origin: ${colorScheme}, ${width} px, ${dir}`, async () => {
    const shown = await stage.open('/', { colorScheme, width });
    const found: unknown[] = [];
    for (const path of paths) {
      await shown.goTo(path.replace(/\$\w+/g, (name) => ids[name]!));
      await settle(shown);
      await shown.page.evaluate((to) => {
        document.documentElement.dir = to;
      }, dir);
      const overflow = await shown.page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      const violations = await violationsOf(shown);
      if (violations.length > 0 || overflow > 0) found.push({ path, overflow, violations });
    }
    expect(found).toEqual([]);
    expect(shown.problems).toEqual([]);
    expect(await shown.page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    await shown.page.context().close();
  });
}
