import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SignIn } from '../net/sign-in.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, serve } from '../net/testing-servers.ts';
import { type Browser, browserOfRun, type View } from './browser.ts';
import { createBrowser } from './browser-pool.ts';

const view: View = { deviceType: 'desktop', waitUntil: 'load' };

let browser: Browser;

beforeAll(() => {
  browser = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1', 'localhost'] }),
    log: () => {},
    maxPages: 1,
  });
});

afterEach(cleanUp);
afterAll(() => browser.close());

const signInFor = (url: string, more: Partial<SignIn> = {}): SignIn => ({
  origins: new Set([url]),
  headers: { 'x-key': 'secret', authorization: 'Basic mine' },
  cookies: [
    {
      name: 'session',
      value: 'mine',
      host: '127.0.0.1',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax',
    },
  ],
  storage: [],
  avoids: (address) => address.endsWith('/logout'),
  ...more,
});

test('requests to the origin get headers and cookies, and others none, also after redirects', async () => {
  const other = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end('other');
  });
  const foreign = `http://localhost:${other.port}`;
  const site = await serve((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `${foreign}/landed` }).end();
    else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<img src="/own.png"><img src="/away"><img src="${foreign}/pixel.png">
        <iframe src="${foreign}/frame"></iframe><iframe src="/logout"></iframe>
        <script>fetch('/api', { headers: { authorization: 'Bearer page' } }).catch(() => {})</script>`);
    }
  });
  const signIn = signInFor(site.url);
  await browser.withPage(`${site.url}/`, { ...view, waitUntil: 'networkidle' }, { signIn }, async () => {});
  await browser.withPage(`${site.url}/away`, view, { signIn }, async () => {});
  const at = (path: string) => site.requests.find((request) => request.url === path)?.headers;
  for (const path of ['/', '/own.png', '/away'])
    expect(at(path)).toMatchObject({
      'x-key': 'secret',
      authorization: 'Basic mine',
      cookie: 'session=mine',
    });
  expect(at('/api')).toMatchObject({ 'x-key': 'secret', authorization: 'Bearer page' });
  expect(at('/logout')).toBeUndefined();
  const paths = other.requests.map((request) => request.url);
  expect(paths).toEqual(expect.arrayContaining(['/pixel.png', '/frame', '/landed']));
  for (const { headers } of other.requests)
    expect([headers['x-key'], headers.authorization, headers.cookie]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
});

test('another port of the host gets no cookies, also from frames and redirects, and the way back has them', async () => {
  const other = await serve((request, response) => {
    if (request.url?.startsWith('/back'))
      response.writeHead(302, { location: `${site.url}${request.url}ed` }).end();
    else {
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
      response.end('<img src="/deep.png">');
    }
  });
  const site = await serve((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `${other.url}/landed` }).end();
    else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<img src="/away"><img src="${other.url}/pixel.png"><img src="${other.url}/back.png">
        <iframe src="${other.url}/frame"></iframe>
        <script>fetch('${other.url}/cors').catch(() => {});
          fetch('${other.url}/sent', { credentials: 'include', mode: 'no-cors' }).catch(() => {})</script>`);
    }
  });
  const kinds: SignIn['headers'][] = [{}, { 'x-key': 'secret' }];
  for (const headers of kinds) {
    const signIn = signInFor(site.url, { headers });
    await browser.withPage(`${site.url}/`, { ...view, waitUntil: 'networkidle' }, { signIn }, async () => {});
    await browser.withPage(`${other.url}/back`, view, { signIn }, async () => {});
  }
  const seen = other.requests.map(({ method, url }) => `${method} ${url}`);
  const expected = ['/landed', '/pixel.png', '/back.png', '/frame', '/deep.png', '/cors', '/sent', '/back'];
  expect(new Set(seen)).toEqual(new Set(expected.map((path) => `GET ${path}`)));
  for (const { headers } of other.requests)
    expect([headers.cookie ?? '', headers['x-key']]).toEqual(['', undefined]);
  expect(site.requests.map(({ url }) => url)).toEqual(
    expect.arrayContaining(['/away', '/back.pnged', '/backed']),
  );
  for (const { headers } of site.requests) expect(headers.cookie).toBe('session=mine');
});

test('stored data is there when a page begins, and a tab that follows another is signed in again', async () => {
  const { url, requests } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<script>document.title = localStorage.getItem("token")</script>');
  });
  const storage = [{ origin: url, localStorage: [{ name: 'token', value: 'kept' }] }];
  const title = await browser.withPage(url, view, { signIn: signInFor(url, { storage }) }, ({ page }) =>
    page.title(),
  );
  expect(title).toBe('kept');

  const run = browserOfRun(browser);
  const signIn = signInFor(url, { headers: {} });
  const reading: View = { ...view, onlyReads: true };
  const first = await run.withPage(`${url}/1`, reading, { signIn }, async ({ page }) => page);
  const second = await run.withPage(`${url}/2`, reading, { signIn }, async ({ page }) => page);
  expect(second).toBe(first);
  const another = { ...signIn };
  expect(await run.withPage(`${url}/3`, reading, { signIn: another }, async ({ page }) => page)).not.toBe(
    first,
  );
  for (const path of ['/1', '/2', '/3'])
    expect(requests.find((request) => request.url === path)?.headers.cookie).toBe('session=mine');
});
