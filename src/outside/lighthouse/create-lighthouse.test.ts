import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { PageFailure } from '../browser/browser.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, cleanups, listen, serve } from '../net/testing-servers.ts';
import { createLighthouse } from './create-lighthouse.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lighthouse-test-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(cleanUp);

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Processes of earlier test files, such as the browser of the worker. */
const earlier = new Set(readdirSync('/proc'));

/** The command lines of living processes of this one that run an audit or its browser. */
function auditProcesses(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !earlier.has(name))
    .flatMap((pid) => {
      try {
        const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        const isOurs = Number(parent) === process.pid || command.includes(folder);
        return state !== 'Z' && isOurs && /audit-process|chromium|REDPEN/.test(command) ? [command] : [];
      } catch {
        return [];
      }
    });
}

function setUp(allowHosts = ['127.0.0.1']) {
  const guard = createGuard({ allowHosts });
  const dialed = new Set<string>();
  const lighthouse = createLighthouse({
    chromePath: process.env.CHROME_PATH,
    guard: {
      ...guard,
      dial: (host, port, options) => {
        dialed.add(`${host}:${port}`);
        return guard.dial(host, port, options);
      },
    },
    log: () => {},
  });
  return { lighthouse, dialed };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It went well.'),
    (error: PageFailure) => ({ kind: error.kind, message: error.message }),
  );

const body = `<!DOCTYPE html><html><head><title>Shop</title><meta name="viewport" content="width=device-width"></head>
<body><main><h1>Shop</h1><p style="color:#ccc">Pale words</p><img src="/cat.png"><a href="/x">here</a></main>
<script>console.error('It broke.')</script></body></html>`;

test('a page is audited in a separate browser, which connects to no other host and leaves nothing behind', async () => {
  let running = 0;
  const { url, port } = await serve((request, response) => {
    running = Math.max(running, auditProcesses().length);
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
    response.end(request.url === '/' ? body : '');
  });
  const { lighthouse, dialed } = setUp();
  const report = await lighthouse(url, {
    formFactor: 'desktop',
    categories: ['accessibility', 'best-practices', 'seo'],
  });
  expect(report).toMatchObject({
    finalUrl: `${url}/`,
    formFactor: 'desktop',
    version: '13.5.0',
    warnings: [],
  });
  expect(Object.keys(report.scores)).toEqual(['accessibility', 'best-practices', 'seo']);
  for (const score of Object.values(report.scores)) expect(score).toBeGreaterThan(30);
  const auditOf = (id: string) => report.audits.find((audit) => audit.id === id);
  expect(auditOf('color-contrast')).toMatchObject({
    score: 0,
    scoreDisplayMode: 'binary',
    weights: { accessibility: 7 },
    items: [{ selector: 'body > main > p', snippet: expect.stringContaining('<p'), text: /1\.6/ }],
  });
  expect(auditOf('errors-in-console')?.items.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('It broke.'),
  );
  expect(auditOf('document-title')).toMatchObject({ score: 1, items: [] });
  expect([...dialed]).toEqual([`127.0.0.1:${port}`]);
  expect(running).toBeGreaterThan(1);
  expect(auditProcesses()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('an audited page gets the credentials of its origin, and another site none of them', async () => {
  const other = await serve((_request, response) => response.end());
  const { url, requests } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!DOCTYPE html><html lang="en"><title>Shop</title><p>Words</p>
      <img src="http://localhost:${other.port}/pixel.png" alt=""><img src="${other.url}/port.png" alt="">
      <script>fetch('/stored?' + localStorage.getItem('token'));
        fetch('/api', { headers: { authorization: 'Bearer page' } })</script>`);
  });
  const { lighthouse } = setUp(['127.0.0.1', 'localhost']);
  const host = '127.0.0.1';
  const cookie = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  await lighthouse(url, {
    formFactor: 'desktop',
    categories: ['seo'],
    signIn: {
      origins: new Set([url]),
      headers: { 'x-staging': 'secret', authorization: 'Basic mine' },
      cookies: [{ ...cookie, name: 'session', value: 'mine', host }],
      storage: [{ origin: url, localStorage: [{ name: 'token', value: 'kept' }] }],
      avoids: () => false,
    },
  });
  const at = (path: string) => requests.find((request) => request.url === path)?.headers;
  const sent = { 'x-staging': 'secret', cookie: 'session=mine' };
  expect(at('/')).toMatchObject({ ...sent, authorization: 'Basic mine' });
  expect(at('/api')).toMatchObject({ ...sent, authorization: 'Bearer page' });
  expect(at('/stored?kept')).toMatchObject(sent);
  expect(other.requests.map((request) => request.url)).toEqual(
    expect.arrayContaining(['/pixel.png', '/port.png']),
  );
  for (const { headers } of other.requests)
    expect([headers['x-staging'], headers.authorization, headers.cookie ?? '']).toEqual([
      undefined,
      undefined,
      '',
    ]);
});

test('failures of an audit are reported by kind, and leave nothing behind', async () => {
  const { lighthouse } = setUp();
  const formFactor = 'mobile';
  const isRequested = Promise.withResolvers<void>();
  const hanging = await serve((_request, response) => {
    isRequested.resolve();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>x</p><script>for (;;);</script>');
  });
  const stop = new AbortController();
  const dead = await listen(createServer());
  await cleanups.pop()!();
  const outcomes = await Promise.all([
    failureOf(lighthouse('http://10.0.0.1/', { formFactor })),
    failureOf(lighthouse(hanging.url, { formFactor, timeoutMs: 2500 })),
    // These audits wait for a slot, and the last one never gets it.
    failureOf(lighthouse(`http://127.0.0.1:${dead}/`, { formFactor, categories: ['seo'] })),
    failureOf(lighthouse(hanging.url, { formFactor, signal: stop.signal })),
    isRequested.promise.then(() => stop.abort()),
  ]);
  expect(outcomes.slice(0, 4)).toEqual([
    { kind: 'refused-host', message: 'The address could not be reached.' },
    { kind: 'timeout', message: 'The audit took too long.' },
    {
      kind: 'navigation',
      message: 'The page could not be loaded: nothing listens there (connection refused).',
    },
    { kind: 'aborted', message: 'The page was given up.' },
  ]);
  expect(auditProcesses()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
