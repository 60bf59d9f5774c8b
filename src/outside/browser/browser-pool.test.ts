import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, serve } from '../net/testing-servers.ts';
import type { Browser, PageFailure, View } from './browser.ts';
import { createBrowser } from './browser-pool.ts';

const desktop: View = { deviceType: 'desktop', waitUntil: 'load' };

let browser: Browser;

beforeAll(() => {
  browser = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    maxPages: 2,
  });
});

afterEach(cleanUp);
afterAll(() => browser.close());

const html = (pages: Record<string, string>) =>
  serve((request, response) => {
    const body = pages[request.url!];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html', 'x-page': 'yes' });
    response.end(body ?? 'nothing here');
  });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It went well.'),
    (error: PageFailure) => error,
  );

test('a page is returned with its status, headers, final address and document', async () => {
  const { url } = await html({ '/there': '<title>Found</title>' });
  const moved = await serve((_request, response) =>
    response.writeHead(302, { location: `${url}/there#x` }).end(),
  );
  const visited = await browser.withPage(moved.url, desktop, {}, async ({ page, ...loaded }) => ({
    ...loaded,
    title: await page.title(),
  }));
  expect(visited).toMatchObject({ url: `${url}/there#x`, status: 200, title: 'Found' });
  expect(visited.headers['x-page']).toBe('yes');
  const missing = await browser.withPage(`${url}/missing`, desktop, {}, async (loaded) => loaded.status);
  expect(missing).toBe(404);
});

test('desktop and mobile views differ like the devices', async () => {
  const { url } = await html({ '/': '<meta name=viewport content="width=device-width">' });
  const probe = (deviceType: View['deviceType']) =>
    browser.withPage(`${url}/`, { ...desktop, deviceType }, {}, ({ page }) =>
      page.evaluate(() => ({
        width: innerWidth,
        touch: navigator.maxTouchPoints > 0,
        mobile: /Mobile/.test(navigator.userAgent),
        headless: /Headless/.test(navigator.userAgent),
      })),
    );
  expect(await probe('desktop')).toEqual({ width: 1366, touch: false, mobile: false, headless: false });
  expect(await probe('mobile')).toEqual({ width: 412, touch: true, mobile: true, headless: false });
});

test('pages have separate storage and cookies', async () => {
  const { url } = await html({ '/': '' });
  const visit = () =>
    browser.withPage(`${url}/`, desktop, {}, ({ page }) =>
      page.evaluate(() => {
        const before = localStorage.getItem('seen') ?? document.cookie;
        localStorage.setItem('seen', 'yes');
        // biome-ignore lint/suspicious/noDocumentCookie: pages set cookies like this.
        document.cookie = 'seen=yes';
        return before;
      }),
    );
  expect(await visit()).toBe('');
  expect(await visit()).toBe('');
});

test('a view that skips images and styles does not request them', async () => {
  const server = await html({
    '/': '<link rel=stylesheet href=/s.css><img src=/i.png><script src=/j.js></script>',
  });
  await browser.withPage(`${server.url}/`, { ...desktop, skip: ['image', 'stylesheet'] }, {}, async () => {});
  const requested = server.requests.map((request) => request.url);
  expect(requested).toContain('/j.js');
  expect(requested).not.toContain('/i.png');
  expect(requested).not.toContain('/s.css');
});

test('a page with endless requests or an image that never arrives is still loaded', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/never.png') return;
    response.writeHead(200, { 'content-type': 'text/html' });
    if (request.url === '/poll') response.end(String(Math.random()));
    else if (request.url === '/busy')
      response.end('<h1>Busy</h1><script>setInterval(() => fetch("/poll"), 50)</script>');
    else response.end('<h1>Waiting</h1><img src=/never.png>');
  });
  const heading = (path: string, waitUntil: View['waitUntil']) =>
    browser.withPage(url + path, { ...desktop, waitUntil }, { timeoutMs: 120_000 }, ({ page }) =>
      page.textContent('h1'),
    );
  expect(await Promise.all([heading('/busy', 'networkidle'), heading('/image', 'load')])).toEqual([
    'Busy',
    'Waiting',
  ]);
});

test.each([
  'http://10.0.0.1/',
  'http://2130706434/',
  'http://[::1]/',
  'file:///etc/passwd',
  'chrome://crash',
  'javascript:alert(1)',
  'http://user:pass@example.com/',
  'nonsense',
])('%s is refused', async (url) => {
  expect((await failureOf(browser.withPage(url, desktop, {}, async () => {}))).kind).toBe('refused-host');
});

test('a page that leads to an internal address is refused, in whatever way it does so', async () => {
  const internal = await html({ '/': 'secret' });
  const target = internal.url.replace('127.0.0.1', '127.0.0.2');
  const { url } = await serve((request, response) => {
    if (request.url === '/302') response.writeHead(302, { location: target }).end();
    else if (request.url === '/https')
      response.writeHead(302, { location: target.replace('http', 'https') }).end();
    else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<script>location.replace('${target}/')</script>`);
    }
  });
  for (const path of ['/302', '/https', '/file', '/script']) {
    const failure = await failureOf(
      browser.withPage(url + path, desktop, {}, async ({ page }) => page.content()),
    );
    expect([path, failure.kind]).toEqual([path, 'refused-host']);
  }
  expect(internal.requests.length).toBe(0);
});

test('a broken connection, a download and a timeout fail as such', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/reset') response.destroy();
    else if (request.url === '/file') {
      response
        .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' })
        .end('PK');
    }
  });
  const load = (path: string, timeoutMs = 60_000) =>
    failureOf(browser.withPage(url + path, desktop, { timeoutMs }, async () => {}));
  expect((await load('/reset')).kind).toBe('navigation');
  expect((await load('/file')).kind).toBe('download');
  expect((await load('/slow', 600)).kind).toBe('timeout');
});

test('an abort ends a page that loads, one in use, and one that waits for a slot', async () => {
  const isRequested = Promise.withResolvers<void>();
  const isUsed = Promise.withResolvers<void>();
  const { url } = await serve((request, response) => {
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end('x');
    else if (request.url === '/hangs') isRequested.resolve();
  });
  const stop = new AbortController();
  const open = (path: string, use: () => Promise<unknown>) =>
    failureOf(browser.withPage(url + path, desktop, { signal: stop.signal }, use));
  const loading = open('/hangs', async () => {});
  const used = open('/', () => {
    isUsed.resolve();
    return new Promise(() => {});
  });
  // Both slots are taken, so this page waits.
  const waiting = open('/', async () => 'late');
  await Promise.all([isRequested.promise, isUsed.promise]);
  stop.abort();
  const kinds = (await Promise.all([loading, used, waiting])).map((failure) => failure.kind);
  expect(kinds).toEqual(['aborted', 'aborted', 'aborted']);
  expect(await browser.withPage(`${url}/`, desktop, {}, async (loaded) => loaded.status)).toBe(200);
});

test('the number of open pages is limited', async () => {
  const { url } = await html({ '/': 'x' });
  let live = 0;
  let maxOpen = 0;
  const second = Promise.withResolvers<void>();
  await Promise.all(
    Array.from({ length: 6 }, () =>
      browser.withPage(`${url}/`, desktop, {}, async ({ page }) => {
        maxOpen = Math.max(maxOpen, ++live);
        if (maxOpen > 1) second.resolve();
        await second.promise;
        // A fence: a third page that was opened meanwhile would have loaded by the time this load ends.
        await page.goto(`${url}/`);
        live--;
      }),
    ),
  );
  expect(maxOpen).toBe(2);
});

test("an error of the caller's function is rethrown, and frees the slot", async () => {
  const { url } = await html({ '/': 'x' });
  for (let round = 0; round < 3; round++) {
    const work = browser.withPage(`${url}/`, desktop, {}, async () => {
      throw new TypeError('mine, not closed');
    });
    await expect(work).rejects.toThrow(TypeError);
  }
});

test('dialogs, popups and beforeunload handlers block nothing', async () => {
  const { url, requests } = await html({
    '/': `<script>
      addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });
      for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i); }
      window.open('/popup');
    </script><button>Press</button>`,
    '/popup': '<script>for (;;) alert("again")</script>',
  });
  const answer = await browser.withPage(`${url}/`, desktop, {}, async ({ page }) => {
    await page.click('button');
    await expect.poll(() => page.context().pages().length).toBe(1);
    return page.textContent('button');
  });
  expect(answer).toBe('Press');
  expect(requests.some((request) => request.url === '/')).toBe(true);
});
