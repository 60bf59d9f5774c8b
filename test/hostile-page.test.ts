import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import {
  type HostileSite,
  type InternalListener,
  startHostileSite,
  startInternalListener,
} from './fakes/hostile-site.ts';
import { until } from './run/until.ts';
import { newTestContext } from './service/test-browser.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Denied attempts to wait for; the page makes 60 to 63 in all, depending on the target. */
const MIN_ATTEMPTS = 55;
/** WebRTC connections of the page. */
const CONNECTIONS = 2;

/** Waits for all attempts of the page, then leaves it, for the attempts on leaving. */
async function awaitAttempts(page: Page, site: HostileSite, denied: string[]) {
  await until(site.hasRun, 'the end of the script of the page');
  await until(() => denied.length >= MIN_ATTEMPTS, 'the attempts of the page');
  await until(() => site.gathered() === CONNECTIONS, 'the end of its attempts over UDP');
  await page.goto('about:blank');
  await until(site.hasLeft, 'the attempts on leaving');
}

/** Requests that request interception in the page misses. */
const MISSED_BY_INTERCEPTION = [
  'frame-redirect',
  'fetch-redirect',
  'shared-worker-fetch',
  'shared-worker-import',
  'service-worker-fetch',
  'websocket',
  'worker-websocket',
  'csp-report',
  'ping',
];

const hasArrived = ({ kinds }: InternalListener) =>
  kinds.size >= 40 && MISSED_BY_INTERCEPTION.every((kind) => kinds.has(kind));

async function setUp() {
  const internal = await startInternalListener();
  const site = await startHostileSite();
  cleanups.push(internal.close, site.close);
  return { internal, site };
}

async function visit(
  pageUrl: string,
  allowHosts: string[],
  stay: (page: Page, denied: string[]) => Promise<void>,
) {
  const denied: string[] = [];
  const browser = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts, resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
    log: (_message, data) => denied.push(String(data?.host)),
    maxPages: 1,
  });
  cleanups.push(() => browser.close());
  await browser.withPage(pageUrl, { deviceType: 'desktop', waitUntil: 'domcontentloaded' }, {}, (loaded) =>
    stay(loaded.page, denied),
  );
  return denied;
}

const targets: [string, (port: number) => string][] = [
  ['a literal address', (port) => `127.0.0.1:${port}`],
  ['another loopback address', (port) => `127.1:${port}`],
  ['a name that resolves to loopback', (port) => `internal.example:${port}`],
  ['localhost', (port) => `localhost:${port}`],
];

test.each(targets)('a hostile page reaches nothing at %s', async (_what, targetAt) => {
  const { internal, site } = await setUp();
  const url = site.urlFor(targetAt(internal.port));
  const denied = await visit(url, [new URL(url).host], (page, attempts) =>
    awaitAttempts(page, site, attempts),
  );
  expect(denied.length).toBeGreaterThanOrEqual(MIN_ATTEMPTS);
  expect([...internal.kinds]).toEqual([]);
  expect(internal.tcpConnections()).toBe(0);
  expect(internal.udpPackets()).toBe(0);
});

// Without this test, a page that makes no attempt would pass the one above.
test.each([targets[0]!, targets[2]!])(
  'the same page reaches %s in dozens of ways if the guard allows it',
  async (_what, targetAt) => {
    const { internal, site } = await setUp();
    const target = targetAt(internal.port);
    const url = site.urlFor(target);
    const denied = await visit(url, [new URL(url).host, target], () =>
      until(() => hasArrived(internal), 'requests of forty kinds'),
    );
    expect(denied).toEqual([]);
    expect(internal.udpPackets()).toBe(0);
  },
);

test('the same page also reaches the internal service by UDP in a browser without a guard', async () => {
  const { internal, site } = await setUp();
  const page = await (await newTestContext({ isWatched: false })).newPage();
  await page.goto(site.urlFor(`127.0.0.1:${internal.port}`), { waitUntil: 'domcontentloaded' });
  await until(() => internal.udpPackets() > 0 && internal.kinds.size >= 40, 'packets and requests');
});
