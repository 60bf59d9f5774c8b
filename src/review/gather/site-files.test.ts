import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bareFetchInput } from '../../../test/reviews/review-inputs.ts';
import { FetchFailure, type FetchResult, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { createFetchText, decodeBody } from './requests/fetch-text.ts';
import { robotsTxt } from './robots-txt.ts';
import { sitemapData } from './sitemap-data.ts';

const site = 'https://example.com';
const page = `${site}/docs/start?x=1`;

type Answer = string | Uint8Array | { status: number } | FetchFailure;

function fetchFrom(answers: Record<string, Answer>, type = 'text/xml') {
  const requested: string[] = [];
  const fetch: SafeFetch = async (url) => {
    requested.push(url);
    const answer = answers[url] ?? { status: 404 };
    if (answer instanceof FetchFailure) throw answer;
    const isBody = typeof answer === 'string' || answer instanceof Uint8Array;
    const body = typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
    return {
      url,
      status: isBody ? 200 : answer.status,
      headers: { 'content-type': type },
      body: isBody ? (body as Uint8Array) : new Uint8Array(),
      truncated: false,
      redirects: [],
    } satisfies FetchResult;
  };
  return { fetch, requested };
}

function inputOf<Options>(fetch: SafeFetch, options: Options, url = page) {
  const { signal } = new AbortController();
  return { ...bareFetchInput, url, options, fetch, fetchText: createFetchText(fetch, signal), signal };
}

const urlset = (...locs: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs
    .map((loc) => `<url><loc>${loc}</loc></url>`)
    .join('')}</urlset>`;
const index = (...locs: string[]) =>
  `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;

const sitemaps = (answers: Record<string, Answer>, maxEntries = 500) => {
  const { fetch, requested } = fetchFrom(answers);
  return { requested, data: sitemapData.gather(inputOf(fetch, { maxEntries })) };
};

describe('robots-txt', () => {
  test('returns the robots file of the host of the page', async () => {
    const { fetch, requested } = fetchFrom({ [`${site}/robots.txt`]: 'User-agent: *' }, 'text/plain');
    expect(await robotsTxt.gather(inputOf(fetch, {}))).toEqual({
      found: true,
      status: 200,
      body: 'User-agent: *',
    });
    expect(requested).toEqual([`${site}/robots.txt`]);
  });

  test('a missing file is data, not an error, and an HTML page in its place counts as missing', async () => {
    const absent = await robotsTxt.gather(inputOf(fetchFrom({}).fetch, {}));
    expect(absent).toEqual({ found: false, status: 404, body: '' });
    expect(robotsTxt.toPrompt(absent, { url: page })).toEqual([
      { text: 'The site has no robots.txt (HTTP status 404).' },
    ]);
    const { fetch } = fetchFrom({ [`${site}/robots.txt`]: '<html>' }, 'text/html; charset=utf-8');
    expect(await robotsTxt.gather(inputOf(fetch, {}))).toMatchObject({ found: false });
  });
});

describe('sitemap-data', () => {
  test('reads the sitemaps that the robots file names, through an index, compressed, with all fields', async () => {
    const full = `<urlset><url><loc> ${site}/a?x=1&amp;y=2 </loc><lastmod>2026-01-02</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url></urlset>`;
    const { data } = sitemaps({
      [`${site}/robots.txt`]: 'User-agent: *\r\nSitemap: /maps/index.xml\r\n',
      [`${site}/maps/index.xml`]: index('one.xml', `${site}/maps/two.xml.gz`),
      [`${site}/maps/one.xml`]: full,
      [`${site}/maps/two.xml.gz`]: gzipSync(urlset(`${site}/b`, `${site}/a?x=1&amp;y=2`)),
    });
    expect(await data).toEqual({
      sitemaps: [
        { url: `${site}/maps/index.xml`, entries: 0 },
        { url: `${site}/maps/one.xml`, entries: 1 },
        { url: `${site}/maps/two.xml.gz`, entries: 2 },
      ],
      entries: [
        { loc: `${site}/a?x=1&y=2`, lastmod: '2026-01-02', changefreq: 'daily', priority: 0.5 },
        { loc: `${site}/b` },
      ],
      truncated: false,
      errors: [],
    });
  });

  test('a sitemap at the default address is found without a robots file', async () => {
    const { data } = sitemaps({ [`${site}/sitemap.xml`]: urlset(`${site}/a`) });
    expect((await data).entries).toEqual([{ loc: `${site}/a` }]);
  });

  test('a site without sitemaps has no entries and no errors', async () => {
    const { data } = sitemaps({});
    expect(await data).toEqual({ sitemaps: [], entries: [], truncated: false, errors: [] });
  });

  test('stops at maxEntries and marks the data as truncated', async () => {
    const locs = Array.from({ length: 10 }, (_, at) => `${site}/${at}`);
    const cut = await sitemaps({ [`${site}/sitemap.xml`]: urlset(...locs) }, 4).data;
    expect(cut.entries).toHaveLength(4);
    expect(cut.truncated).toBe(true);
    const whole = await sitemaps({ [`${site}/sitemap.xml`]: urlset(...locs) }, 10).data;
    expect(whole.truncated).toBe(false);
  });

  test('indexes that name each other are read once each', async () => {
    const { data, requested } = sitemaps({
      [`${site}/sitemap.xml`]: index(`${site}/b.xml`, `${site}/sitemap.xml`),
      [`${site}/b.xml`]: index(`${site}/sitemap.xml`),
    });
    await data;
    expect(new Set(requested).size).toBe(requested.length);
  });

  test('an endless index is cut off', async () => {
    const endless: SafeFetch = async (url, options) => {
      const next = `${site}/${Number(/(\d+)\.xml/.exec(url)?.[1] ?? 0) + 1}.xml`;
      return await fetchFrom({ [url]: index(next) }).fetch(url, options);
    };
    const data = await sitemapData.gather(inputOf(endless, { maxEntries: 500 }));
    expect(data.sitemaps.length).toBeLessThanOrEqual(50);
    expect(data.truncated).toBe(true);
  });

  test('an unreadable sitemap is reported with the reason, and the others are read', async () => {
    const refused = new FetchFailure('refused-host', 'http://10.0.0.1/s.xml', 'The host is internal.');
    const { data } = sitemaps({
      [`${site}/robots.txt`]: 'Sitemap: http://10.0.0.1/s.xml\nSitemap: /page.xml\nSitemap: /gone.xml',
      'http://10.0.0.1/s.xml': refused,
      [`${site}/page.xml`]: '<html><body>Not found</body></html>',
      [`${site}/sitemap.xml`]: urlset(`${site}/a`),
    });
    expect((await data).entries).toEqual([{ loc: `${site}/a` }]);
    expect((await data).errors).toEqual([
      { url: 'http://10.0.0.1/s.xml', message: 'The host is internal.' },
      { url: `${site}/page.xml`, message: 'The answer is no sitemap.' },
      { url: `${site}/gone.xml`, message: 'HTTP status 404' },
    ]);
  });

  test('a decompression bomb is an error', async () => {
    const bomb = gzipSync(new Uint8Array(60_000_000));
    const { data } = sitemaps({ [`${site}/robots.txt`]: 'Sitemap: /bomb.gz', [`${site}/bomb.gz`]: bomb });
    expect((await data).errors).toHaveLength(1);
    expect((await data).entries).toEqual([]);
  });

  test('nested entities are not expanded', async () => {
    const lol = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefgh'
      .split('')
      .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(10)}">`)
      .join('')}]>`;
    const { data } = sitemaps({
      [`${site}/sitemap.xml`]: `${lol}<urlset><url><loc>${site}/&h;</loc></url></urlset>`,
    });
    expect(JSON.stringify(await data).length).toBeLessThan(5000);
  });

  test('a plain list of addresses is a sitemap, too', async () => {
    const { data } = sitemaps({ [`${site}/sitemap.xml`]: `\ufeff${site}/a\r\n${site}/b\r\n` });
    expect((await data).entries.map(({ loc }) => loc)).toEqual([`${site}/a`, `${site}/b`]);
  });
});

describe('decodeBody', () => {
  test.each([
    ['text/plain; charset=iso-8859-1', [0xfc], 'ü'],
    ['text/plain; charset="utf-8"', [0xc3, 0xbc], 'ü'],
    ['text/plain', [0xc3, 0xbc], 'ü'],
    ['text/plain; charset=iso-8859-1', [0xef, 0xbb, 0xbf, 0xc3, 0xbc], 'ü'],
    ['text/plain', [0xff, 0xfe, 0xfc, 0x00], 'ü'],
    ['text/plain; charset=no-such', [0x61], 'a'],
  ])('%s %j is read as %s', (type, bytes, expected) => {
    expect(decodeBody({ headers: { 'content-type': type }, body: new Uint8Array(bytes) })).toBe(expected);
  });
});
