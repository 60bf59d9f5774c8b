import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { browserProcesses } from '../../../test/service/browser-processes.ts';
import { endSharedBrowser } from '../../../test/service/one-browser.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, serve } from '../net/testing-servers.ts';
import { type Browser, browserOfRun, type LoadedPage, type View } from './browser.ts';
import { createBrowser } from './browser-pool.ts';

const reading: View = { deviceType: 'desktop', waitUntil: 'settled', onlyReads: true };

let browser: Browser;

beforeAll(async () => {
  await endSharedBrowser();
  browser = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    maxPages: 3,
  });
});

afterEach(cleanUp);
afterAll(() => browser.close());

const html = (bodies: Record<string, string>) =>
  serve((request, response) => {
    const isScript = request.url!.endsWith('.js');
    const setCookie =
      request.url === '/marks' ? { 'set-cookie': 'answered=yes; HttpOnly; Max-Age=1000' } : {};
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      'cache-control': isScript ? 'max-age=1000' : 'no-store',
      ...setCookie,
    });
    response.end(bodies[request.url!] ?? '');
  });

/** The process of a page, and what the page finds of earlier ones. */
async function look({ page }: LoadedPage) {
  const session = await page.context().newCDPSession(page);
  const { processInfo } = await page
    .context()
    .browser()!
    .newBrowserCDPSession()
    .then((root) => root.send('SystemInfo.getProcessInfo'));
  await session.detach();
  const found = await page.evaluate(async () => ({
    cookies: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    name: window.name,
    history: history.length,
    state: history.state,
    globals: 'mark' in globalThis,
    referrer: document.referrer,
  }));
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return { found, renderers };
}

/** A page that leaves marks in every place where the next one could find them, also while it is left. */
const MARKS = `<script>
  const mark = () => {
    document.cookie = 'mark=1; max-age=1000';
    localStorage.setItem('mark', '1');
    sessionStorage.setItem('mark', '1');
    window.name = 'mark';
  };
  mark();
  globalThis.mark = true;
  history.pushState({ mark: 1 }, '', '/pushed');
  addEventListener('pagehide', mark);
  addEventListener('unload', mark);
  globalThis.stored = Promise.all([
    caches.open('mark'),
    new Promise((resolve, reject) => {
      const request = indexedDB.open('mark');
      request.onsuccess = resolve;
      request.onerror = reject;
    }),
  ]);
</script>`;
const stored = ({ page }: LoadedPage) => page.evaluate('stored.then(() => {})');

const UNMARKED = {
  cookies: '',
  local: 0,
  session: 0,
  databases: 0,
  caches: 0,
  workers: 0,
  name: '',
  history: 2,
  state: null,
  globals: false,
  referrer: '',
};

test('a page of the same run finds nothing of the page before it in its renderer', async () => {
  const { url, requests } = await html({ '/marks': MARKS, '/look': 'clean' });
  const run = browserOfRun(browser);
  const first = await run.withPage(`${url}/look`, reading, {}, look);
  expect(first.found).toEqual(UNMARKED);
  await run.withPage(`${url}/marks`, reading, {}, stored);
  const second = await run.withPage(`${url}/look`, reading, {}, look);
  expect(second.found).toEqual(UNMARKED);
  expect(second.renderers).toEqual(first.renderers);
  expect(requests.at(-1)!.headers.cookie).toBeUndefined();
});

test('no tab is shared between runs, nor with pages that no run asks for', async () => {
  const { url } = await html({ '/marks': MARKS, '/look': 'clean' });
  const one = browserOfRun(browser);
  const before = (await one.withPage(`${url}/look`, reading, {}, look)).renderers;
  await one.withPage(`${url}/marks`, reading, {}, stored);
  for (const other of [browserOfRun(browser), browser]) {
    const { found, renderers } = await other.withPage(`${url}/look`, reading, {}, look);
    expect(found).toEqual(UNMARKED);
    expect(renderers.filter((pid) => !before.includes(pid))).not.toEqual([]);
  }
});

const pages = (loaded: LoadedPage) => Promise.resolve(loaded.page);

test.each([
  ['another site', {}, 'other'],
  ['another device', { deviceType: 'mobile' }, 'same'],
  ['other resources', { skip: ['image'] }, 'same'],
  ['a view that does more than read', { onlyReads: false }, 'same'],
] as const)('%s gets a context of its own', async (_, change, site) => {
  const { url } = await html({});
  const { url: otherUrl } = await html({});
  const run = browserOfRun(browser);
  const first = await run.withPage(url, reading, {}, pages);
  const view = { ...reading, ...change } as View;
  expect(await run.withPage(site === 'same' ? url : otherUrl, view, {}, pages)).not.toBe(first);
});

test.each([
  [
    'a timer that starts itself again',
    '<script>const again = () => setTimeout(() => { document.body.append("late"); again(); }, 900); again()</script>',
    'late',
  ],
  ['an interval', '<script>setInterval(() => { document.body.textContent = "late" }, 300)</script>', 'late'],
  ['a frame', 'early<iframe srcdoc="x"></iframe>', 'early'],
  [
    'a service worker',
    '<script>globalThis.ready = navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready)</script>x',
    'x',
  ],
])('a page with %s is read as ever, and its tab serves no other', async (_, body, text) => {
  const { url } = await html({ '/': `<body>${body}</body>`, '/sw.js': '', '/next': 'next' });
  const run = browserOfRun(browser);
  const first = await run.withPage(`${url}/`, reading, {}, async ({ page }) => {
    expect(await page.textContent('body')).toContain(text);
    await page.evaluate('globalThis.ready?.then(() => {})');
    return page;
  });
  await run.withPage(`${url}/next`, reading, {}, async ({ page }) => {
    expect(page).not.toBe(first);
    expect(await page.evaluate(() => new Promise((fires) => setTimeout(fires, 20, 'fired')))).toBe('fired');
  });
});

test('timers that are due later or were stopped do not spend a tab', async () => {
  const body = `<body>x<script>
    clearTimeout(setTimeout(() => document.body.append('never'), '900'));
    const interval = setInterval(() => {}, 100);
    clearInterval(interval);
    setTimeout(() => {}, 600_000);
    globalThis.fires = (ms) => new Promise((fires) => setTimeout(fires, ms, 'fired'));
  </script></body>`;
  const { url } = await html({ '/1': body, '/2': body });
  const run = browserOfRun(browser);
  const read = (path: string) =>
    run.withPage(url + path, reading, {}, async ({ page }) => {
      expect(await page.evaluate('fires(20)')).toBe('fired');
      return page;
    });
  const first = await read('/1');
  expect(await read('/2')).toBe(first);
});

test('timers that are due soon have fired, and what they start has arrived', async () => {
  const body = `<body><script>
    setTimeout(() => {
      document.body.append('one ');
      setTimeout(() => fetch('/data').then((answer) => answer.text()).then((text) => document.body.append(text)), 60);
    }, 60);
  </script></body>`;
  const { url } = await html({ '/1': body, '/2': body, '/data': 'two' });
  const run = browserOfRun(browser);
  for (const path of ['/1', '/2']) {
    const last = await run.withPage(url + path, reading, {}, ({ page }) =>
      page.evaluate(() => document.body.lastChild!.textContent),
    );
    expect(last).toBe('two');
  }
});

test('files come from the cache, documents from the site', async () => {
  const page = '<script src="/app.js"></script>';
  const { url, requests } = await html({ '/1': page, '/2': page });
  const run = browserOfRun(browser);
  for (const path of ['/1', '/2', '/1']) await run.withPage(url + path, reading, {}, async () => {});
  const asked = requests.map((request) => request.url).filter((path) => path !== '/favicon.ico');
  expect(asked).toEqual(['/1', '/app.js', '/2', '/1']);
});

test('a page that crashes or hangs ends alone, and other pages of its run go on', async () => {
  const { url } = await html({ '/': 'fine', '/hangs': 'until asked' });
  const run = browserOfRun(browser);
  const kind = (error: { kind?: string }) => error.kind;
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const other = run.withPage(`${url}/`, reading, {}, async ({ page }) => {
    opened.resolve();
    await ended.promise;
    return page.textContent('body');
  });
  await opened.promise;
  await run.withPage(`${url}/`, reading, {}, async () => {});
  const crash = run.withPage(`${url}/`, reading, {}, ({ page }) => page.goto('chrome://crash'));
  expect(await crash.catch(kind)).toBe('crash');
  const stop = new AbortController();
  const hang = run.withPage(`${url}/hangs`, reading, { signal: stop.signal }, async ({ page }) => {
    const endless = page.evaluate('for (;;);');
    setTimeout(() => stop.abort());
    await endless;
  });
  expect(await hang.catch(kind)).toBe('aborted');
  ended.resolve();
  expect(await other).toBe('fine');
  expect(await run.withPage(`${url}/`, reading, {}, ({ page }) => page.textContent('body'))).toBe('fine');
});

test('tabs of runs that have ended are closed', async () => {
  const { url } = await html({});
  await browserOfRun(browser).withPage(url, reading, {}, async () => {});
  await expect
    .poll(() => browserProcesses().filter(({ type }) => type === 'renderer'), { timeout: 60_000 })
    .toEqual([]);
});
