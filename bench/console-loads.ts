import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { report } from './figures.ts';

// Measures how long the start page takes to load, and what the browser loads for each page.
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Slow 4G of Lighthouse: 150 ms, 1.6 Mbit/s down, 750 kbit/s up; and a processor of a quarter of the speed. */
const SLOW = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000, offline: false };
const CPU_RATE = 4;

/** A control of the start page itself: its heading is there before its script is. */
const READY = 'main header button';

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

interface Loaded {
  usableMs: number;
  /** The first paint with content. */
  firstMs: number;
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
  const firstMs = await fresh.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
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
  return { usableMs, firstMs, paintMs };
}

/** Measures the load of a page, and of the reference. */
export async function measureLoads(browser: Browser, page: Page, url: string, docs: string): Promise<void> {
  for (const isSlow of [false, true]) {
    const own: Loaded[] = [];
    const reference: Loaded[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      own.push(await load(browser, page, url, isSlow, READY));
      reference.push(await load(browser, page, docs, isSlow, 'h1'));
    }
    const name = isSlow ? 'slow line, slow machine' : 'loopback';
    for (const [what, of] of [
      ['usable', 'usableMs'],
      ['first paint', 'firstMs'],
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
export async function measureSizes(
  page: Page,
  paths: readonly string[],
  goTo: (path: string) => Promise<void>,
) {
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
    const value = kilobytes(loaded);
    console.log(`${path}: ${value} kB of scripts and styles, compressed`);
    const name = `console scripts and styles of ${path.replace(/(?<=\/reviews\/).*/, 'a review')}`;
    report({ name, value, unit: 'kB' });
  }
}
