import { expect, test } from 'vitest';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { crawl } from './crawl.ts';
import { createChecker } from './link-checker.ts';

const SEED = 'http://s.example/';

/** A site whose pages are computed from their paths: HTML, a list of links, or a redirect. */
function site(linksOf: (path: string) => string[] | { location: string } | string | undefined) {
  const requested: string[] = [];
  const fetch: SafeFetch = async (url) => {
    const { pathname, search } = new URL(url);
    requested.push(pathname + search);
    const page = linksOf(pathname + search);
    const html =
      typeof page === 'string'
        ? page
        : Array.isArray(page)
          ? page.map((to) => `<a href="${to}">x</a>`).join('')
          : '';
    const isRedirect = typeof page === 'object' && 'location' in page;
    const status = page === undefined ? 404 : isRedirect ? 302 : 200;
    const headers: Record<string, string> = { 'content-type': 'text/html' };
    if (isRedirect) headers.location = page.location;
    return { url, status, headers, body: Buffer.from(html), truncated: false, redirects: [] };
  };
  return { requested, checker: createChecker({ fetch, timing: { retryDelayMs: 1 } }) };
}

const paths = (urls: string[]) => urls.map((url) => url.replace('http://s.example', ''));

test('pages are listed breadth first, each once, in the order of their discovery', async () => {
  const { checker, requested } = site(
    (path) =>
      ({
        '/': ['/b', '/a#x', '/a', 'http://other.example/'],
        '/a': ['/c', '/'],
        '/b': ['/missing'],
        '/c': [],
      })[path],
  );
  const crawled = await crawl({ seedUrl: SEED, maxPages: 10, checker });
  expect(paths(crawled.urls)).toEqual(['/', '/b', '/a', '/c']);
  expect(crawled).toMatchObject({ status: 'complete', pagesVisited: 4, totalUrlsFound: 5 });
  expect(new Set(requested).size).toBe(requested.length);
});

test('every page of a large site with one pattern of addresses is visited', async () => {
  const { checker } = site((path) => {
    const number = Number(path.slice(1) || 0);
    return number < 200 ? [`/${number + 1}`] : [];
  });
  const crawled = await crawl({ seedUrl: SEED, maxPages: 1_000, checker });
  expect(crawled.urls).toHaveLength(201);
});

test('an endless calendar does not crowd out other pages', async () => {
  const { checker } = site((path) => {
    if (path === '/') return [...Array.from({ length: 80 }, (_, day) => `/day?n=${day}`), '/late'];
    if (path === '/late') return ['/later'];
    return path.startsWith('/day') ? [`/day?n=${Number(path.slice(7)) + 80}`] : [];
  });
  const crawled = await crawl({ seedUrl: SEED, maxPages: 70, checker });
  expect(crawled.status).toBe('max-pages');
  expect(crawled.urls).toHaveLength(70);
  expect(paths(crawled.urls)).toEqual(expect.arrayContaining(['/late', '/later']));
});

test('one page under several addresses is listed once', async () => {
  const copy = '<link rel=canonical href="/p">';
  const { checker } = site((path) => {
    if (path === '/') return ['/p', '/moved', '/p?utm_source=x', '/p;jsessionid=1', '/p?PHPSESSID=2'];
    return path === '/moved' ? { location: '/p' } : copy;
  });
  const crawled = await crawl({ seedUrl: SEED, maxPages: 10, checker });
  expect(paths(crawled.urls)).toEqual(['/', '/p']);
});

test('links of a page that is not listed are followed', async () => {
  const { checker } = site((path) => ({ '/': ['/skip'], '/skip': ['/keep'], '/keep': [] })[path]);
  const crawled = await crawl({
    seedUrl: SEED,
    maxPages: 10,
    checker,
    accept: (url) => !url.endsWith('/skip'),
  });
  expect(paths(crawled.urls)).toEqual(['/', '/keep']);
});

test('the crawl stops at the maximum depth', async () => {
  const { checker } = site((path) => [`${path}x`]);
  const crawled = await crawl({ seedUrl: SEED, maxPages: 50, maxDepth: 2, checker });
  expect(paths(crawled.urls)).toEqual(['/', '/x', '/xx']);
});

test('a seed that cannot be read is reported with the reason', async () => {
  const { checker } = site(() => undefined);
  expect(await crawl({ seedUrl: SEED, maxPages: 5, checker })).toMatchObject({
    urls: [],
    seedFailure: 'it answered with HTTP 404',
  });
});

test('an aborted run stops its crawl', async () => {
  const { checker } = site((path) => [`${path}x`]);
  const stop = new AbortController();
  const onPage = () => stop.abort(new Error('stopped'));
  await expect(crawl({ seedUrl: SEED, maxPages: 50, checker, signal: stop.signal, onPage })).rejects.toThrow(
    'stopped',
  );
});

test('an address with a lone question mark is the same page', async () => {
  const { checker } = site((path) => (path === '/' ? ['/?', '/a', '/a?', '/a?x'] : path));
  expect(paths((await crawl({ seedUrl: SEED, maxPages: 10, checker })).urls)).toEqual(['/', '/a', '/a?x']);
});
