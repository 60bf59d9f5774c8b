import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { countOf } from '../../../test/house/metric-counts.ts';
import { browserProcesses, signalBrowsers } from '../../../test/service/browser-processes.ts';
import { endSharedBrowser } from '../../../test/service/one-browser.ts';
import { browserLaunches, browserPagesOpen } from '../net/outbound-metrics.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, cleanups, serve } from '../net/testing-servers.ts';
import { type Browser, PageFailure, type View } from './browser.ts';
import { createBrowser } from './browser-pool.ts';

const desktop: View = { deviceType: 'desktop', waitUntil: 'load' };

let folder = '';
let browser: Browser;
const open = () =>
  createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    maxPages: 3,
  });

beforeAll(async () => {
  await endSharedBrowser();
  folder = mkdtempSync(join(tmpdir(), 'pool-test-'));
  vi.stubEnv('TMPDIR', folder);
  browser = open();
});

afterEach(cleanUp);

afterAll(async () => {
  await browser.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const pidOf = (type: string) => browserProcesses().find((one) => one.type === type)!.pid;

const page = async (body: string) =>
  (await serve((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body)))
    .url;

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It went well.'),
    (error: PageFailure) => error,
  );

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a killed browser is a crash for all its callers, and the next call starts another', async () => {
  const url = await page('fine');
  let ready = 0;
  const use = () =>
    failureOf(
      browser.withPage(url, desktop, {}, async (loaded) => {
        if (++ready === 2) signalBrowsers('main', 'SIGKILL');
        await loaded.page.evaluate(() => new Promise(() => {}));
      }),
    );
  const failures = await Promise.all([use(), use()]);
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(PageFailure);
    expect(failure.kind).toBe('crash');
  }
  expect(await browser.withPage(url, desktop, {}, async (loaded) => loaded.status)).toBe(200);
});

test('a page that crashes does not affect other pages', async () => {
  const url = await page('fine');
  const isOpen = Promise.withResolvers<void>();
  const hasCrashed = Promise.withResolvers<void>();
  const other = browser.withPage(url, desktop, {}, async (loaded) => {
    isOpen.resolve();
    await hasCrashed.promise;
    return loaded.page.textContent('body');
  });
  await isOpen.promise;
  const crash = browser.withPage(url, desktop, {}, async (loaded) => {
    await loaded.page.goto('chrome://crash');
  });
  expect((await failureOf(crash)).kind).toBe('crash');
  hasCrashed.resolve();
  expect(await other).toBe('fine');
});

test.each([
  ['while it loads', '<script>for (;;);</script>'],
  ['once it is used', 'fine'],
])('a page that hangs %s times out, and its process ends', async (_when, body) => {
  const url = await page(body);
  const before = browserProcesses().filter((one) => one.type === 'renderer').length;
  const failure = await failureOf(
    browser.withPage(url, desktop, { timeoutMs: 2000 }, async (loaded) => {
      await loaded.page.evaluate('for (;;);');
    }),
  );
  expect(failure.kind).toBe('timeout');
  await expect
    .poll(() => browserProcesses().filter((one) => one.type === 'renderer').length)
    .toBeLessThanOrEqual(before);
  expect(await browser.withPage(await page('ok'), desktop, {}, async (loaded) => loaded.status)).toBe(200);
});

test('a frozen browser is killed, and the next call starts another', async () => {
  const url = await page('fine');
  let main = 0;
  // A busy machine may not open the page within the first time limits.
  for (const timeoutMs of [1_500, 6_000, 24_000, 96_000]) {
    const failure = await failureOf(
      browser.withPage(url, desktop, { timeoutMs }, async (loaded) => {
        // Read only now, since the browser of the previous test may have been about to end.
        main = pidOf('main');
        process.kill(main, 'SIGSTOP');
        await loaded.page.title();
      }),
    );
    expect(failure.kind).toBe('timeout');
    if (main !== 0) break;
  }
  expect(main).not.toBe(0);
  await expect.poll(() => isAlive(main)).toBe(false);
  expect(await browser.withPage(url, desktop, {}, async (loaded) => loaded.status)).toBe(200);
});

test('close ends pages in use, and leaves no process and no file behind', async () => {
  const url = await page('fine');
  const hanging = Promise.withResolvers<void>();
  const used = failureOf(
    browser.withPage(url, desktop, {}, async (loaded) => {
      hanging.resolve();
      await loaded.page.evaluate('for (;;);');
    }),
  );
  await hanging.promise;
  expect(browserProcesses().length).toBeGreaterThan(2);
  await browser.close();
  expect((await used).kind).toBe('aborted');
  await expect.poll(() => browserProcesses()).toEqual([]);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  expect((await failureOf(browser.withPage(url, desktop, {}, async () => {}))).kind).toBe('aborted');
  await browser.close();
});

test('closing a browser during its start leaves nothing behind', async () => {
  const url = await page('fine');
  const short = open();
  const work = failureOf(short.withPage(url, desktop, {}, async () => {}));
  await expect.poll(() => readdirSync(folder).length).toBeGreaterThan(0);
  await short.close();
  expect((await work).kind).toBe('aborted');
  await expect.poll(() => [...browserProcesses(), ...readdirSync(folder)]).toEqual([]);
});

test('a browser without pages for a while ends with its files, and the next page starts another', async () => {
  const url = await page('fine');
  const own = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    maxPages: 2,
    idleMs: 100,
  });
  cleanups.push(() => own.close());
  const use = () => own.withPage(url, desktop, { run: {} }, async (loaded) => loaded.status);
  for (let turn = 0; turn < 2; turn++) {
    expect(await Promise.all([use(), use()])).toEqual([200, 200]);
    await expect.poll(() => [...browserProcesses(), ...readdirSync(folder)]).toEqual([]);
  }
  // Longer than the time without pages, which begins with the end of the last page.
  const longUse = own.withPage(url, desktop, {}, async (loaded) => {
    await loaded.page.waitForTimeout(300);
    return loaded.page.textContent('body');
  });
  expect(await longUse).toBe('fine');
});

test('a browser that cannot start is reported as such', async () => {
  const broken = createBrowser({
    chromePath: '/bin/false',
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    maxPages: 1,
  });
  const before = await countOf(browserLaunches, { outcome: 'failed' });
  const failure = await failureOf(broken.withPage('http://127.0.0.1:1/', desktop, {}, async () => {}));
  expect(await countOf(browserLaunches, { outcome: 'failed' })).toBe(before + 1);
  await expect.poll(() => countOf(browserPagesOpen)).toBe(0);
  expect(failure).toMatchObject({
    kind: 'crash',
    message: 'The browser could not be started: the program of CHROME_PATH ended at once with exit code 1.',
  });
  await broken.close();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test('killing the parent process leaves no browser and no file behind', async () => {
  const url = await page('fine');
  const script = `
    import { createGuard } from ${JSON.stringify(new URL('../net/ssrf-guard.ts', import.meta.url).href)};
    import { createBrowser } from ${JSON.stringify(new URL('./browser-pool.ts', import.meta.url).href)};
    const guard = createGuard({ allowHosts: ['127.0.0.1'] });
    const browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
    await browser.withPage(${JSON.stringify(url)}, ${JSON.stringify(desktop)}, {}, async () => {
      process.stdout.write('open');
      await new Promise(() => {});
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const processes = browserProcesses(child.pid);
  expect(processes.length).toBeGreaterThan(2);
  expect(readdirSync(folder).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await expect.poll(() => processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test('a port that browsers block is not reported as a refusal of the guard', async () => {
  const own = open();
  cleanups.push(() => own.close());
  expect(await failureOf(own.withPage('http://127.0.0.1:9/', desktop, {}, async () => {}))).toMatchObject({
    kind: 'navigation',
    message:
      'The page could not be loaded: browsers do not open its port, which belongs to another protocol (ERR_UNSAFE_PORT).',
  });
});

test.each(['http', 'https'])(
  'a page at %s without a server is reported as such, and a refused one is not',
  async (scheme) => {
    const { port } = await serve((_request, response) => response.end());
    await cleanUp();
    const own = open();
    cleanups.push(() => own.close());
    const load = (url: string) => failureOf(own.withPage(url, desktop, {}, async () => {}));
    expect(await load(`${scheme}://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'navigation',
      message: 'The page could not be loaded: nothing listens there (connection refused).',
    });
    expect(await load(`${scheme}://127.0.0.2:${port}/`)).toMatchObject({
      kind: 'refused-host',
      message: 'The address could not be reached.',
    });
  },
);

test('a failed TLS handshake and an unknown host name are reported as such', async () => {
  const { port } = await serve((_request, response) => response.end());
  const guard = createGuard({
    allowHosts: ['127.0.0.1'],
    resolve: async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    },
  });
  const other = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 2 });
  try {
    const load = async (url: string) =>
      (await failureOf(other.withPage(url, desktop, {}, async () => {}))).message;
    expect(await load(`https://127.0.0.1:${port}/`)).toMatch(
      /^The page could not be loaded: no secure connection could be made \(ERR_SSL_/,
    );
    for (const scheme of ['http', 'https']) {
      expect(await load(`${scheme}://nowhere.example/`)).toBe(
        'The page could not be loaded: its host name does not exist.',
      );
    }
  } finally {
    await other.close();
  }
});
