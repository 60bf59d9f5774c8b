import { createServer, type Server } from 'node:https';
import { afterEach, expect, test } from 'vitest';
import { TEST_CERTIFICATE, TEST_KEY } from '../../../test/fakes/smtp-server.ts';
import { createSafeFetch } from '../net/safe-fetch.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, cleanups, failureOf, listen } from '../net/testing-servers.ts';
import type { PageFailure, View } from './browser.ts';
import { createBrowser } from './browser-pool.ts';

const view: View = { deviceType: 'desktop', waitUntil: 'load' };

afterEach(cleanUp);

async function secureServer(body: (path: string) => string) {
  const requests: string[] = [];
  const server: Server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
    response.end(body(request.url ?? ''));
  });
  return { port: await listen(server), requests };
}

test('an unknown certificate is accepted of the hosts that the operator names, and of no other', async () => {
  const other = await secureServer(() => '<h1>Other</h1>');
  const named = await secureServer(
    () =>
      `<h1>Named</h1><img src="/own.png"><img src="https://127.0.0.1:${other.port}/pixel.png">
      <iframe src="https://127.0.0.1:${other.port}/frame"></iframe>`,
  );
  const guard = createGuard({
    allowHosts: ['127.0.0.1'],
    trustCertificates: [`127.0.0.1:${named.port}`],
  });
  const fetch = createSafeFetch(guard, { userAgent: 'Redpen/1' });
  const browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
  cleanups.push(
    () => fetch.close(),
    () => browser.close(),
  );
  const [namedUrl, otherUrl] = [named, other].map(({ port }) => `https://127.0.0.1:${port}/`);

  expect((await fetch(namedUrl!)).status).toBe(200);
  expect((await failureOf(fetch(otherUrl!))).kind).toBe('tls');
  expect(await browser.withPage(namedUrl!, view, {}, ({ page }) => page.textContent('h1'))).toBe('Named');
  expect(named.requests).toContain('/own.png');
  const failure = await browser
    .withPage(otherUrl!, view, {}, async () => {})
    .catch((error: PageFailure) => error);
  expect(failure).toMatchObject({
    kind: 'navigation',
    message: expect.stringContaining('its certificate is of no known authority'),
  });
  expect(other.requests).toEqual([]);
});
