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

test('a page comes with its status, headers, final address and document', async () => {
  const { url } = await html({ '/there': '<title>Found</title>' });
  const moved = await serve((_request, response) =>
    response.writeHead(302, { location: `${url}/there#x` }).end(),
  );
  const seen = await browser.withPage(moved.url, desktop, {}, async ({ page, ...loaded }) => ({
    ...loaded,
    title: await page.title(),
  }));
  expect(seen).toMatchObject({ url: `${url}/there#x`, status: 200, title: 'Found' });
  expect(seen.headers['x-page']).toBe('yes');
  const missing = await browser.withPage(`${url}/missing`, desktop, {}, async (loaded) => loaded.status);
  expect(missing).toBe(404);
});

test('desktop and mobile differ as the devices do', async () => {
  const { url } = await html({ '/': '<meta name=viewport content="width=device-width">' });
  const look = (deviceType: View['deviceType']) =>
    browser.withPage(`${url}/`, { ...desktop, deviceType }, {}, ({ page }) =>
      page.evaluate(() => ({
        width: innerWidth,
        touch: navigator.maxTouchPoints > 0,
        mobile: /Mobile/.test(navigator.userAgent),
        headless: /Headless/.test(navigator.userAgent),
      })),
    );
  expect(await look('desktop')).toEqual({ width: 1366, touch: false, mobile: false, headless: false });
  expect(await look('mobile')).toEqual({ width: 412, touch: true, mobile: true, headless: false });
});

test('pages share nothing', async () => {
  const { url } = await html({ '/': '' });
  const visit = () =>
    browser.withPage(`${url}/`, desktop, {}, ({ page }) =>
      page.evaluate(() => {
        const before = localStorage.getItem('seen') ?? document.cookie;
        localStorage.setItem('seen', 'yes');
        // biome-ignore lint/suspicious/noDocumentCookie: it is what a page would write.
        document.cookie = 'seen=yes';
        return before;
      }),
    );
  expect(await visit()).toBe('');
  expect(await visit()).toBe('');
});

test('a view that skips images and styles does not ask for them', async () => {
  const server = await html({
    '/': '<link rel=stylesheet href=/s.css><img src=/i.png><script src=/j.js></script>',
  });
  await browser.withPage(`${server.url}/`, { ...desktop, skip: ['image', 'stylesheet'] }, {}, async () => {});
  const asked = server.requests.map((request) => request.url);
  expect(asked).toContain('/j.js');
  expect(asked).not.toContain('/i.png');
  expect(asked).not.toContain('/s.css');
});

test('a page that never falls silent, or whose image never comes, is loaded all the same', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/never.png') return;
    response.writeHead(200, { 'content-type': 'text/html' });
    if (request.url === '/poll') response.end(String(Math.random()));
    else if (request.url === '/busy')
      response.end('<h1>Busy</h1><script>setInterval(() => fetch("/poll"), 50)</script>');
    else response.end('<h1>Waiting</h1><img src=/never.png>');
  });
  const heading = (path: string, waitUntil: View['waitUntil']) =>
    browser.withPage(url + path, { ...desktop, waitUntil }, { timeoutMs: 8_000 }, ({ page }) =>
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

test('a page that leads to an internal address is refused, however it leads there', async () => {
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

test('what is not there, not a page or too slow fails as what it is', async () => {
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

test('an abort ends a page that loads, one that is used, and one that waits for its turn', async () => {
  const isAsked = Promise.withResolvers<void>();
  const isUsed = Promise.withResolvers<void>();
  const { url } = await serve((request, response) => {
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end('x');
    else if (request.url === '/hangs') isAsked.resolve();
  });
  const stop = new AbortController();
  const open = (path: string, use: () => Promise<unknown>) =>
    failureOf(browser.withPage(url + path, desktop, { signal: stop.signal }, use));
  const loading = open('/hangs', async () => {});
  const used = open('/', () => {
    isUsed.resolve();
    return new Promise(() => {});
  });
  // Both places are taken, so this one waits.
  const waiting = open('/', async () => 'late');
  await Promise.all([isAsked.promise, isUsed.promise]);
  stop.abort();
  const kinds = (await Promise.all([loading, used, waiting])).map((failure) => failure.kind);
  expect(kinds).toEqual(['aborted', 'aborted', 'aborted']);
  expect(await browser.withPage(`${url}/`, desktop, {}, async (loaded) => loaded.status)).toBe(200);
});

test('no more pages are open at a time than allowed', async () => {
  const { url } = await html({ '/': 'x' });
  let live = 0;
  let most = 0;
  const second = Promise.withResolvers<void>();
  await Promise.all(
    Array.from({ length: 6 }, () =>
      browser.withPage(`${url}/`, desktop, {}, async ({ page }) => {
        most = Math.max(most, ++live);
        if (most > 1) second.resolve();
        await second.promise;
        // A fence: a third page that was opened beside these two would be loaded by the end of this.
        await page.goto(`${url}/`);
        live--;
      }),
    ),
  );
  expect(most).toBe(2);
});

test('an error of the user of a page comes out as it is, and frees the place', async () => {
  const { url } = await html({ '/': 'x' });
  for (let round = 0; round < 3; round++) {
    const work = browser.withPage(`${url}/`, desktop, {}, async () => {
      throw new TypeError('mine, not closed');
    });
    await expect(work).rejects.toThrow(TypeError);
  }
});

test('dialogs, popups and beforeunload traps hold nothing up', async () => {
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
