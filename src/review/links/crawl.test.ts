import { expect, test } from 'vitest';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { crawl } from './crawl.ts';
import { createChecker } from './link-checker.ts';
import { extractLinks } from './page/extract-links.ts';

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

const article = (links: string) => `<h1>Shop</h1><p>Words of the shop.</p>${links}`;

test('variants of an address with the same content are one page', async () => {
  const home = article('<a href="/index.html">home</a><a href="/shop/">shop</a><a href="/shop">shop</a>');
  const { checker } = site((path) => {
    if (path === '/' || path === '/index.html') return home;
    return path === '/shop/' || path === '/shop'
      ? article('<a href="/item?id=1">one</a><a href="/?id=7">home</a>')
      : path === '/?id=7'
        ? home
        : path.startsWith('/item')
          ? `item ${path}<a href="/item?id=2">two</a><a href="/item?id=1&sid=3">one</a>`
          : undefined;
  });
  const crawled = await crawl({ seedUrl: SEED, maxPages: 50, checker });
  expect(paths(crawled.urls)).toEqual(['/', '/shop/', '/item?id=1', '/item?id=2', '/item?id=1&sid=3']);
});

test('an id that a page passes on to its links does not make it another page', async () => {
  const { checker } = site((path) => {
    const id = /id=\d+/.exec(path)?.[0];
    return article(`<a href="/about?${id ?? 'id=1'}">about</a><a href="/about?id=77">again</a>`);
  });
  const crawled = await crawl({ seedUrl: `${SEED}about?id=5`, maxPages: 50, checker });
  expect(paths(crawled.urls)).toEqual(['/about?id=5', '/about?id=77']);
});

test('a folder without its slash is another page where its relative links lead elsewhere', async () => {
  const { checker } = site((path) =>
    path === '/'
      ? '<a href="/a">a</a><a href="/a/">a</a>'
      : /^\/a\/?$/.test(path)
        ? '<a href="b">b</a>'
        : undefined,
  );
  const crawled = await crawl({ seedUrl: SEED, maxPages: 50, checker });
  expect(paths(crawled.urls)).toEqual(['/', '/a', '/a/']);
});

test('pages that name one canonical address for variants are listed once, whichever comes first', async () => {
  const copy = (text: string) => `<link rel=canonical href="/p">${text}`;
  const { checker } = site((path) =>
    path === '/'
      ? '<a href="/p?ref=1">1</a><a href="/p?ref=2">2</a><a href="/p">3</a><a href="/q">q</a>'
      : copy(path),
  );
  expect(paths((await crawl({ seedUrl: SEED, maxPages: 50, checker })).urls)).toEqual([
    '/',
    '/p?ref=1',
    '/q',
  ]);
});

test('pages beyond the limit are counted, without files, copies and what is out of scope', async () => {
  const { checker } = site((path) =>
    path === '/'
      ? [
          ...Array.from({ length: 30 }, (_, n) => `/page-${n}`),
          '/page-1/',
          '/logo.png',
          '/all.zip',
          '/private/x',
        ]
      : path,
  );
  const accept = (url: string) => !url.includes('/private/');
  const cut = await crawl({ seedUrl: SEED, maxPages: 10, checker, accept });
  expect(cut).toMatchObject({ status: 'max-pages', pagesLeft: 21 });
  expect(cut.urls).toHaveLength(10);
  const whole = await crawl({ seedUrl: SEED, maxPages: 31, checker, accept: (url) => !url.includes('/p/') });
  expect(whole.pagesLeft).toBe(1);
});

test('a limit that leaves out only broken links and redirects to known pages is none', async () => {
  const { checker } = site((path) => {
    if (path === '/') return ['/a', '/gone', '/moved'];
    return path === '/moved' ? { location: '/a' } : path === '/gone' ? undefined : path;
  });
  expect(await crawl({ seedUrl: SEED, maxPages: 2, checker })).toMatchObject({
    status: 'complete',
    pagesLeft: 0,
  });
});

test('a limit that leaves only files is none', async () => {
  const { checker } = site((path) => (path === '/' ? ['/a', '/logo.png', '/all.zip'] : path));
  expect(await crawl({ seedUrl: SEED, maxPages: 2, checker })).toMatchObject({
    status: 'complete',
    pagesLeft: 0,
  });
});

test('the routes of a site that scripts draw are pages, each once', async () => {
  const shell = '<div id="app"></div><script src="/app.js"></script>';
  const { checker, requested } = site((path) => (path.startsWith('/app.js') ? 'x' : shell));
  const rendered: string[] = [];
  const render = async (url: string) => {
    rendered.push(url);
    const route = new URL(url).hash || '#/';
    const links = ['#/', '#/about', '#/about?tab=1', '#/item/1', '#/item/2', '#top', '/?id=9#/about'];
    const nav = links.map((to) => `<a href="${to}">${to}</a>`).join('');
    return extractLinks(`${nav}<h1>${route.replace(/\?.*/, '')}</h1>`, url, { rendered: true });
  };
  const crawled = await crawl({ seedUrl: SEED, maxPages: 50, checker, render });
  expect(paths(crawled.urls)).toEqual(['/', '/#/about', '/#/item/1', '/#/item/2']);
  expect(rendered).not.toContain(`${SEED}#top`);
  expect(requested.length).toBeLessThanOrEqual(2);
  expect(paths((await crawl({ seedUrl: SEED, maxPages: 50, checker })).urls)).toEqual(['/']);
});

test('a fragment is no page of a site that is sent as HTML', async () => {
  const { checker } = site(() => article('<a href="#/about">about</a><a href="#!more">more</a>'));
  const render = () => Promise.reject(new Error('not to be rendered'));
  expect(paths((await crawl({ seedUrl: SEED, maxPages: 50, checker, render })).urls)).toEqual(['/']);
});
