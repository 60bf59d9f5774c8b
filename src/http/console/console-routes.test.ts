import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { expectLog } from '../../../test/run/log-watch.ts';
import { testApp } from '../../../test/service/harness.ts';
import { newTestContext } from '../../../test/service/test-browser.ts';
import { createServer } from '../server/server.ts';
import { addConsole } from './console-routes.ts';
import type { WebFile, WebState } from './web-app.ts';

const HTML = { accept: 'text/html,application/xhtml+xml' };
const SCRIPT = 'export const answer = 42;'.repeat(100);

/** Files of pages, as the build lists them. */
const PAGES = {
  '/': ['assets/start-5e6f.js'],
  '/reviews': ['assets/reviews-7a8b.js'],
  '/reviews/$reviewId': ['assets/run-9c0d.js', 'assets/run-1e2f.css'],
};

const file = (text: string, mimeType: string, more: Partial<WebFile> = {}): WebFile => ({
  bytes: Buffer.from(text),
  etag: `"${text.length}"`,
  mimeType,
  isImmutable: false,
  ...more,
});
const compressed = async (text: string) => {
  const { brotliCompressSync, gzipSync } = await import('node:zlib');
  return { br: brotliCompressSync(text), gzip: gzipSync(text) };
};

let state: WebState;
let ready: WebState;
let app: Awaited<ReturnType<typeof createServer>>;

beforeAll(async () => {
  const script = file(SCRIPT, 'text/javascript; charset=utf-8', {
    ...(await compressed(SCRIPT)),
    isImmutable: true,
  });
  ready = {
    state: 'ready',
    files: new Map([
      [
        'console/index.html',
        file('<head><meta property="csp-nonce" nonce="redpen-nonce"></head><div id=root></div>', 'text/html'),
      ],
      ['console/pages.json', file(JSON.stringify(PAGES), 'application/json; charset=utf-8')],
      ['console/licenses.txt', file('MIT', 'text/plain; charset=utf-8')],
      ['console/assets/main-1a2b.js', script],
      ['client/overlay.js', { ...script, isImmutable: false }],
      ['client/assets/pins-3c4d.js', script],
    ]),
  };
  state = ready;
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  app = await createServer({ deps, endpoints: [], files: [], probes, authenticator });
  addConsole(app, { state: () => state });
  await app.ready();
  return () => app.close();
});

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });

test('every address below /console has the page, with a policy that allows only the files of this origin', async () => {
  for (const url of ['/console', '/console/', '/console/runs/a.b?page=2', '/console/runs/%E4%B8%AD']) {
    const { statusCode, headers, body } = await get(url, HTML);
    const nonce = /nonce="([\w+/=]{24})"/.exec(body)?.[1];
    expect({ url, statusCode, headers }).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' blob: data:; ` +
          `connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; ` +
          `require-trusted-types-for 'script'; trusted-types default lit-html redpen`,
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    });
  }
});

test('no two pages have the same nonce', async () => {
  const pages = await Promise.all(Array.from({ length: 20 }, () => get('/console', HTML)));
  expect(new Set(pages.map(({ body }) => body)).size).toBe(20);
});

test('a page of an API key names the files that it needs, and no other page does', async () => {
  const linksAt = async (url: string) =>
    [...(await get(url, HTML)).body.matchAll(/<link rel="(\w+)" crossorigin href="([^"]+)">/g)].map(
      ([, kind, name]) => [kind, name],
    );
  const start = [['modulepreload', '/console/assets/start-5e6f.js']];
  expect(await linksAt('/console/k/rpk_1')).toEqual(start);
  expect(await linksAt('/console/k/rpk_1/?days=7')).toEqual(start);
  expect(await linksAt('/console/k/rpk_1/reviews/rev_1?tab=log')).toEqual([
    ['modulepreload', '/console/assets/run-9c0d.js'],
    ['stylesheet', '/console/assets/run-1e2f.css'],
  ]);
  for (const url of ['/console', '/console/k/rpk_1/gone', '/console/k/rpk_1/reviews/1/2', '/console/connect'])
    expect([url, await linksAt(url)]).toEqual([url, []]);
});

test('the pages that let an overlay or an assistant in keep their opener, and are shown in no frame', async () => {
  for (const url of [
    '/console/connect',
    '/console/connect/',
    '/console/connect?origin=https://shop.example',
    '/console/authorize?client_id=https://claude.example/client.json',
  ]) {
    const { headers } = await get(url, HTML);
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
  for (const url of ['/console/connected', '/console/k/rpk_1/authorize']) {
    const { headers } = await get(url, HTML);
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  }
});

test('files are sent in the best encoding that the browser takes, and kept by it for a year', async () => {
  const url = '/console/assets/main-1a2b.js';
  const encodingOf = async (encodings?: string) =>
    (await get(url, encodings === undefined ? {} : { 'accept-encoding': encodings })).headers[
      'content-encoding'
    ];
  expect(await encodingOf()).toBeUndefined();
  expect(await encodingOf('gzip, deflate, br, zstd')).toBe('br');
  expect(await encodingOf('gzip, br;q=0')).toBe('gzip');
  expect(await encodingOf('gzip;q=0.0, br;q=0')).toBeUndefined();
  expect(await encodingOf('brotli-like, xgzip')).toBeUndefined();
  const brotli = await get(url, { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
  expect(gunzipSync((await get(url, { 'accept-encoding': 'gzip' })).rawPayload).toString()).toBe(SCRIPT);
  expect(brotli.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(brotli.rawPayload.length),
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
});

test('a file that the browser has is not sent again', async () => {
  const url = '/client/overlay.js';
  const { headers } = await get(url);
  const etag = String(headers.etag);
  for (const held of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
    const again = await get(url, { 'if-none-match': held });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get(url, { 'if-none-match': '"x"' })).statusCode).toBe(200);
});

test('pages of every origin load the scripts, which are checked for a new version unless their address has one', async () => {
  const fresh = await get('/client/overlay.js', { origin: 'https://shop.example' });
  expect(fresh.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, no-cache',
  });
  const version = String(fresh.headers.etag).replaceAll('"', '');
  const pinned = await get(`/client/overlay.js?v=${version}`);
  expect(pinned.headers['cache-control']).toContain('immutable');
  expect((await get('/client/overlay.js?v=old')).headers['cache-control']).toBe('public, no-cache');
  expect((await get('/client/assets/pins-3c4d.js')).headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

test('HEAD is answered like GET, without the content', async () => {
  for (const url of ['/console', '/console/runs', '/console/assets/main-1a2b.js', '/client/overlay.js']) {
    const [head, full] = [await get(url, HTML, 'HEAD'), await get(url, HTML)];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(full.headers['content-length']);
  }
});

test('what is neither a page nor a file is unknown, as any other operation', async () => {
  for (const [url, headers] of [
    ['/console/assets/gone-9f.js', HTML],
    ['/console/runs', {}],
    ['/console/../console/assets/%2e%2e/secret', {}],
    ['/client/gone.js', HTML],
    ['/client/', HTML],
    ['/client/../console/index.html.br', {}],
    ['/console/constructor', { accept: 'application/json' }],
  ] as const) {
    const { statusCode, body, headers: answered } = await get(url, headers);
    expect({ url, statusCode, error: JSON.parse(body).error }).toMatchObject({
      statusCode: 404,
      error: { status: 'NOT_FOUND', message: expect.stringContaining('There is no operation GET /c') },
    });
    expect(answered['cache-control']).toBe('no-store');
  }
  const posted = await app.inject({ method: 'POST', url: '/console/runs', headers: HTML, payload: {} });
  expect([posted.statusCode, posted.json().error.status]).toEqual([404, 'NOT_FOUND']);
});

test('while it is built, the page says so in less than 2 kB, and scripts are asked for again', async () => {
  expectLog(/The console is being built/);
  state = { state: 'building' };
  try {
    const { statusCode, headers, body } = await get('/console/runs/1', HTML);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toContain('is being built');
    const nonce = /<script nonce="([\w+/=]{24})">/.exec(body)?.[1];
    expect(body).toContain(`<style nonce="${nonce}">`);
    expect(headers['content-security-policy']).toContain(`; script-src 'nonce-${nonce}'; style-src`);
    expect(Buffer.byteLength(body)).toBeLessThan(2_000);
    for (const url of ['/client/overlay.js', '/console/assets/main-1a2b.js']) {
      const script = await get(url);
      expect([script.statusCode, script.headers['retry-after']]).toEqual([503, '2']);
      expect(script.json().error).toEqual({ status: 'UNAVAILABLE', message: 'The console is being built.' });
    }
  } finally {
    state = ready;
  }
});

test('a link that signs in is opened while the console is built, and keeps its code', async () => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  state = { state: 'building' };
  try {
    const page = await (await newTestContext()).newPage();
    await page.goto(`${url}/console#code=rpl_1`);
    await page.getByRole('heading', { name: 'The console is being built' }).waitFor();
    await page.waitForEvent('load');
    state = ready;
    await page.locator('#root').waitFor({ state: 'attached' });
    expect(page.url()).toBe(`${url}/console#code=rpl_1`);
  } finally {
    state = ready;
  }
});

test('if the build fails, the page shows why, as text', async () => {
  expectLog(/The build ended with exit code 1/);
  state = { state: 'failed', reason: 'The build ended with exit code 1.', log: 'Unexpected <script>&' };
  try {
    const { statusCode, body } = await get('/console', HTML);
    expect(statusCode).toBe(503);
    expect(body).toContain('<p>The build ended with exit code 1.</p>');
    expect(body).toContain('<pre>Unexpected &lt;script&gt;&amp;</pre>');
    expect(body).not.toContain('location.reload');
    const script = await get('/client/overlay.js');
    expect([script.statusCode, script.headers['access-control-allow-origin']]).toEqual([503, '*']);
  } finally {
    state = ready;
  }
});
