import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createSafeFetch } from '../../outside/net/safe-fetch.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { webPageLinks } from '../gather/web-page-links.ts';
import { brokenLinks } from './broken-links-service.ts';

const pages: Record<string, string> = {
  '/drawn':
    '<template><a href=/no></a></template><main></main><script>' +
    'document.querySelector("main").innerHTML = "<a href=/gone>x</a><a href=/ok>y</a><p id=mine></p>" +' +
    '"<a href=#mine>z</a><a href=/target#late>v</a><a href=/target#never>w</a>"</script>',
  '/placeholder': '<a id=a href="/{{url}}">x</a><script>document.getElementById("a").href = "/ok"</script>',
  '/leaves': '<meta http-equiv=refresh content="0; url=/gone"><a href=/gone-too>x</a>',
  '/target': '<script>setTimeout(() => (document.body.innerHTML = "<p id=late>"), 100)</script>',
  '/ok': 'ok',
};

const server = createServer((request, response) => {
  const html = pages[request.url!];
  response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html' });
  response.end(html === undefined ? 'Not found' : `<!doctype html><body>${html}`);
});
const guard = createGuard({ allowHosts: ['127.0.0.1'] });
const fetch = createSafeFetch(guard, { userAgent: 'test' });
let browser: Browser;
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = createBrowser({ guard, log: () => {}, maxPages: 2 });
});

afterAll(async () => {
  await Promise.all([browser.close(), fetch.close()]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Gathers a page like a run, and reviews it. */
async function faultyPaths(path: string): Promise<(string | undefined)[]> {
  const url = origin + path;
  const { signal } = new AbortController();
  const data = await browser.withPage(url, webPageLinks.view({}, 'desktop'), { signal }, (loaded) =>
    webPageLinks.gather({ url, deviceType: 'desktop', options: {}, page: loaded.page, loaded, signal }),
  );
  const gathered = [{ name: 'web-page-links', data, parts: [] }];
  const { findings } = await brokenLinks.run(
    { ...bareTask, url, gathered },
    { ...bareContext, fetch, browser, signal },
  );
  return findings.map((finding) => finding.url?.replace(origin, ''));
}

test('links and fragments that scripts add are checked', async () => {
  expect(await faultyPaths('/drawn')).toEqual(['/gone', '/target#never']);
});

test('a link that a script repairs is not a fault', async () => {
  expect(await faultyPaths('/placeholder')).toEqual([]);
});

test('a page that refreshes at once to a missing page is reviewed itself', async () => {
  expect(await faultyPaths('/leaves')).toEqual(['/gone', '/gone-too']);
});
