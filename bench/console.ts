import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { fakeSite } from '../test/fakes/site.ts';
import { createConsoleStage } from '../test/web/console-stage.ts';
import { report } from './figures.ts';

// Measures the built console in Chromium, with the service on the same processors: the time until a page can be used, over
// loopback and over a slow line on a slow machine; the largest paint; the answer to a key in a review of 5,000 findings;
// and what the browser has to load. The reference of the load is the reference page of the API, /docs.
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const FINDINGS = Number(process.env.FINDINGS ?? 5_000);
/** Slow 4G of Lighthouse: 150 ms, 1.6 Mbit/s down, 750 kbit/s up; and a processor of a quarter of the speed. */
const SLOW = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000, offline: false };
const CPU_RATE = 4;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

interface Loaded {
  usableMs: number;
  paintMs: number;
}

/** Opens a page of the console with an empty cache, until it has content and its controls answer. */
async function load(
  browser: Browser,
  page: Page,
  url: string,
  isSlow: boolean,
  ready: string,
): Promise<Loaded> {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await context.newPage();
  if (isSlow) {
    const session = await context.newCDPSession(fresh);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
  }
  const startedAt = performance.now();
  await fresh.goto(url, { waitUntil: 'commit' });
  await fresh.locator(ready).first().waitFor();
  const usableMs = performance.now() - startedAt;
  const paintMs = await fresh.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  await context.close();
  return { usableMs, paintMs };
}

async function measureLoads(browser: Browser, page: Page, url: string, docs: string): Promise<void> {
  for (const isSlow of [false, true]) {
    const own: Loaded[] = [];
    const reference: Loaded[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      own.push(await load(browser, page, url, isSlow, 'main h1'));
      reference.push(await load(browser, page, docs, isSlow, 'h1'));
    }
    const name = isSlow ? 'slow line, slow machine' : 'loopback';
    for (const [what, of] of [
      ['usable', 'usableMs'],
      ['largest paint', 'paintMs'],
    ] as const) {
      const value = Math.round(median(own.map((one) => one[of])));
      const other = Math.round(median(reference.map((one) => one[of])));
      console.log(`start page, ${name}: ${what} after ${value} ms; /docs ${other} ms`);
      report({ name: `console ${what}, ${name}`, value, unit: 'ms', references: { docs: other } });
    }
  }
}

/** Compressed bytes of the scripts and styles that the browser loads for each page of the console. */
async function measureSizes(page: Page, paths: readonly string[], goTo: (path: string) => Promise<void>) {
  const sizes = new Map<string, number>();
  const loaded = new Set<string>();
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (!/^\/console\/assets\/.*\.(js|css)$/.test(pathname)) return;
    loaded.add(pathname);
    const body = await response.body().catch(() => undefined);
    if (body) sizes.set(pathname, gzipSync(body, { level: 9 }).length);
  });
  const kilobytes = (names: Iterable<string>) =>
    Math.round([...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) / 102.4) / 10;
  for (const path of paths) {
    loaded.clear();
    await goTo(path);
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    console.log(`${path}: ${kilobytes(loaded)} kB of scripts and styles, compressed`);
  }
}

/** The time from a key to the next frame, in a review with many findings; and the number of its nodes. */
async function measureKeys(
  page: Page,
  reviewPath: string,
  goTo: (path: string) => Promise<void>,
): Promise<void> {
  await goTo(reviewPath);
  await page.getByRole('checkbox').first().waitFor();
  const times: number[] = [];
  for (let press = 0; press < 60; press++) {
    await page.evaluate(() => {
      const now = performance.now();
      // biome-ignore lint/suspicious/noExplicitAny: read back below.
      (globalThis as any).answered = new Promise<number>((done) => {
        addEventListener(
          'keydown',
          () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - now))),
          { once: true, capture: true },
        );
      });
    });
    await page.keyboard.press('j');
    // biome-ignore lint/suspicious/noExplicitAny: set above.
    times.push(await page.evaluate(() => (globalThis as any).answered as Promise<number>));
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const slowest = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.98)]!);
  console.log(`J in a review of ${FINDINGS} findings: p98 ${slowest} ms, ${nodes} elements`);
  report({ name: 'console key in a large review, p98', value: slowest, unit: 'ms' });
  report({ name: 'console elements in a large review', value: nodes, unit: 'count' });
}

/** A site with this many broken links, on pages of 100. */
async function brokenSite(findings: number) {
  const pages: Record<string, string> = {};
  const count = Math.ceil(findings / 100);
  for (let index = 0; index < count; index++) {
    const links = Array.from(
      { length: 100 },
      (_, link) => `<a href="/gone/${index}/${link}">Link ${link}</a>`,
    );
    const next = index + 1 < count ? `<a href="/${index + 1}">Next page</a>` : '';
    pages[index === 0 ? '/' : `/${index}`] =
      `<!doctype html><title>${index}</title><h1>${index}</h1>${next}${links.join(' ')}`;
  }
  return await fakeSite(pages);
}

const site = await brokenSite(FINDINGS);
const stage = await createConsoleStage({ REDPEN_ALLOW_HOSTS: new URL(site.url).host });
try {
  const { page, call, goTo, apiKeyId } = await stage.open();
  const { reviewId } = await call('/v2/reviews/run', {
    urls: [`${site.url}/`],
    agents: ['broken-links'],
    crossPageExecute: true,
    maxUrlsToProcess: Math.ceil(FINDINGS / 100),
  });
  for (let ended = false; !ended; ) {
    const { review } = await call('/v2/reviews/get', { reviewId, waitMs: 20_000 });
    ended = review.status === 'ended';
  }
  const { url } = stage.service;
  await measureLoads(page.context().browser()!, page, `${url}/console/k/${apiKeyId}/reviews`, `${url}/docs`);
  await measureSizes(
    page,
    [
      '/',
      '/reviews',
      `/reviews/${reviewId}`,
      '/findings',
      '/agents',
      '/documents',
      '/people',
      '/memory',
      '/webhooks',
      '/keys',
      '/settings',
      '/editor',
    ],
    goTo,
  );
  await measureKeys(page, `/reviews/${reviewId}`, goTo);
} finally {
  await stage.close();
  await site.close();
}
