import { expect, test } from 'vitest';
import type { SafeFetch } from '../../../outside/net/outbound-fetch.ts';
import { createChecker } from '../link-checker.ts';
import { extractLinks } from '../page/extract-links.ts';
import { reviewLinks } from '../review-links.ts';
import { createSoft404 } from './soft-404.ts';

const NAVIGATION = '<nav><a href=/>Home</a> <a href=/shop>Shop</a> <a href=/contact>Contact</a></nav>';
const real = (text: string) =>
  `<title>${text}</title>${NAVIGATION}<p>${text}, with all that there is to say about it in this place, and some more.`;

interface Site {
  pages: Record<string, string>;
  /** Answer to other addresses; by default an error. */
  absent?: (path: string) => { status: number; body?: string; location?: string };
}

/** Paths of the links on the start page that lead to missing pages in disguise. */
async function missingOn({ pages, absent = () => ({ status: 404 }) }: Site) {
  const requested: string[] = [];
  const answerTo = (path: string) => {
    const body = pages[path];
    return { location: '', body: '', ...(body === undefined ? absent(path) : { status: 200, body }) };
  };
  const fetch: SafeFetch = async (url, { maxRedirects = 5 } = {}) => {
    const path = new URL(url).pathname;
    requested.push(path);
    const { status, body, location } = answerTo(path);
    const at = maxRedirects > 0 && location ? new URL(location, url).href : url;
    const final = at === url ? { status, body } : answerTo(new URL(at).pathname);
    const headers = { 'content-type': 'text/html', ...(location && at === url && { location }) };
    return {
      url: at,
      status: final.status,
      headers,
      body: Buffer.from(final.body),
      truncated: false,
      redirects: [],
    };
  };
  const pageUrl = 'http://s.example/';
  const page = extractLinks(pages['/']!, pageUrl, { rendered: false });
  const { signal } = new AbortController();
  const { working } = await reviewLinks(page, createChecker({ fetch }), signal);
  const findings = await createSoft404(fetch).findings(working, pageUrl, signal);
  const random = new Set(requested.filter((path) => /^\/[0-9a-f]{24}$/.test(path)));
  return { missing: findings.map(({ url }) => new URL(url!).pathname), probes: random.size };
}

const HOME = `${real('Welcome')}<a href=/gone>Old offer</a><a href=/home>Start</a>`;
const SHOP = { '/shop': real('Our goods'), '/contact': real('How to reach us'), '/home': real('Welcome') };

test('a page that the site shows for absent addresses is found', async () => {
  const absent = (path: string) => ({
    status: 200,
    body: `${NAVIGATION}<h1>Sorry</h1>No page ${path} here.`,
  });
  const { missing, probes } = await missingOn({ pages: { '/': HOME, ...SHOP }, absent });
  expect(missing).toEqual(['/gone']);
  expect(probes).toBe(2);
});

test('a site that answers absent addresses with 404 is asked for one', async () => {
  expect(await missingOn({ pages: { '/': HOME, ...SHOP, '/gone': real('Gone') } })).toEqual({
    missing: [],
    probes: 1,
  });
});

test('an application that answers every address with its shell has no findings', async () => {
  const shell = `<title>Shop</title><div id=root></div><a href=/gone>x</a><noscript>Turn on scripts.</noscript><script src=/a.js></script>`;
  const site = { pages: { '/': shell }, absent: () => ({ status: 200, body: shell }) };
  expect((await missingOn(site)).missing).toEqual([]);
});

test('a site that shows its start page everywhere has no findings', async () => {
  const site = { pages: { '/': HOME }, absent: () => ({ status: 200, body: HOME }) };
  expect((await missingOn(site)).missing).toEqual([]);
});

test('where absent addresses lead to the start page, links that are led there are found', async () => {
  const { '/home': _, ...others } = SHOP;
  const site = { pages: { '/': HOME, ...others }, absent: () => ({ status: 302, location: '/' }) };
  // A start page may have several names.
  expect((await missingOn(site)).missing).toEqual(['/gone']);
});
