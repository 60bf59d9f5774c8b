import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { cleanUp, cleanups, serve } from '../../outside/net/testing-servers.ts';
import type { PageAuth } from '../../shapes/agents/page-auth.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { createRunSession } from './run-session.ts';
import { sessionKey } from './session-of-run.ts';

const guard = createGuard({ allowHosts: ['127.0.0.1', 'localhost'] });
let browser: Browser;

beforeAll(() => {
  browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
});

afterEach(cleanUp);
afterAll(() => browser.close());

function sessionOn(seedUrl: string, auth: PageAuth, signal = new AbortController().signal) {
  const fetch = createSafeFetch(guard, { userAgent: 'Redpen/1' });
  cleanups.push(() => fetch.close());
  const lines: LogLine[] = [];
  const session = createRunSession({
    auth,
    seedUrl,
    outside: { fetch, browser },
    log: (line) => lines.push(line),
    redact: (text) => text.replaceAll('open-sesame', '[secret removed]'),
    onSecrets: () => {},
    signal,
  });
  return { session, lines };
}

const form = '<form method="post"><input id="p" type="password"><button>Go</button></form>';
const fillIn = [{ goto: '/login' }, { fill: '#p', value: 'open-sesame' }];

test('a run that is stopped while it signs in again leaves no rejection that is not handled', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  cleanups.push(() => process.off('unhandledRejection', note));
  const stop = new AbortController();
  let logins = 0;
  const site = await serve((request, response) => {
    if (request.method === 'GET' && request.url === '/login' && ++logins > 1) {
      stop.abort(new Error('The process is stopping.'));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(request.method === 'GET' && request.url === '/login' ? form : 'Welcome');
  });
  const auth = { steps: [...fillIn, { click: 'button' }] };
  const { session } = sessionOn(`${site.url}/`, auth, stop.signal);
  const first = await session.current();
  await expect(session.renew(first)).rejects.toThrow('The process is stopping.');
  await new Promise((done) => setImmediate(done));
  expect(unhandled).toEqual([]);
});

test('a title that is cut in a failure keeps no part of a secret', async () => {
  const site = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>${'x'.repeat(92)}open-sesame</title>${form}`);
  });
  const auth = { steps: [...fillIn, { goto: 'http://localhost:9/' }] };
  const { session } = sessionOn(`${site.url}/`, auth);
  const { message } = await session.current().then(
    () => expect.fail('It went well.'),
    (error: Error) => error,
  );
  expect(message).toContain('xxx');
  expect(message).not.toMatch(/open-/);
});

test('runs share a session only if their steps begin on the same site', () => {
  const keyOf = (seedUrl: string, auth: PageAuth) => sessionKey({ behavior: { auth }, row: { seedUrl } });
  const origins = ['https://a.example', 'https://b.example'];
  const auth = { origins, steps: [{ goto: '/login' }] };
  expect(keyOf('https://a.example/1', auth)).toBe(keyOf('https://a.example/2', auth));
  expect(keyOf('https://a.example/', auth)).not.toBe(keyOf('https://b.example/', auth));
  const cookies = [{ name: 'session', value: 'x' }];
  expect(keyOf('https://a.example/', { origins, cookies })).toBe(
    keyOf('https://b.example/', { origins, cookies }),
  );
});
