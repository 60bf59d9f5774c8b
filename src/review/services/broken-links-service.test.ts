import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bareContext, bareTask } from '../../../test/review-inputs.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { extractLinks } from '../links/extract-links.ts';
import { brokenLinksResponse } from '../respond/broken-links-response.ts';
import { brokenLinks } from './broken-links-service.ts';

const PAGE = 'http://s.example/page';

/** The context of a run over a site; pages that are not in the table are missing. */
function run(pages: Record<string, string>) {
  const requested: string[] = [];
  const kept = new Map<string, unknown>();
  const fetch: SafeFetch = async (url, { method } = {}) => {
    requested.push(`${method} ${url}`);
    await nextTurn();
    const html = pages[url];
    const headers = { 'content-type': 'text/html' };
    return {
      url,
      status: html === undefined ? 404 : 200,
      headers,
      body: Buffer.from(html ?? ''),
      truncated: false,
      redirects: [],
    };
  };
  const browser: Browser = {
    withPage: () => Promise.reject(new Error('no browser here')),
    close: async () => {},
  };
  const context: PageContext = {
    ...bareContext,
    fetch,
    browser,
    storeArtifact: async () => 'artifact',
    once<T>(key: string, make: () => T): T {
      if (!kept.has(key)) kept.set(key, make());
      return kept.get(key) as T;
    },
    signal: new AbortController().signal,
  };
  return { requested, context };
}

const task = (url: string, gathered: PageTask['gathered'] = []): PageTask => ({
  ...bareTask,
  url,
  gathered,
});

test('a page that was not gathered is fetched, and each faulty address is one finding', async () => {
  const { context } = run({
    [PAGE]: '<p>Go here</p><a href=/gone>Go here</a><a href=/gone>again</a><img src=/gone.png>',
  });
  const { findings, summary } = await brokenLinks.run(task(PAGE), context);
  expect(
    findings.map(({ url, issueType, severity, statusCode }) => [url, issueType, severity, statusCode]),
  ).toEqual([
    ['http://s.example/gone', 'broken-link', 'high', 404],
    ['http://s.example/gone.png', 'broken-image', 'medium', 404],
  ]);
  expect(findings[0]).toMatchObject({
    errorType: 'http_error',
    targetText: 'Go here',
    occurrence: 2,
    htmlSelector: 'body > a:nth-of-type(1)',
    confidence: 100,
  });
  expect(findings[0]!.description).toContain('The page names it 2 times.');
  expect(summary).toBe('Checked 2 addresses; 2 of them fail.');
});

test('links of the rendered page are preferred', async () => {
  const { context, requested } = run({ [PAGE]: '<a href=/raw>x</a>' });
  const data = extractLinks('<a href=/drawn>x</a><p id=here><a href="#here">y</a>', PAGE, { rendered: true });
  const { findings } = await brokenLinks.run(
    task(PAGE, [{ name: 'web-page-links', data, parts: [] }]),
    context,
  );
  expect(findings.map(({ url }) => url)).toEqual(['http://s.example/drawn']);
  expect(requested.filter((line) => line.endsWith('/raw'))).toEqual([]);
});

test('a page that refreshes to a missing page is checked by its own links', async () => {
  const { context } = run({ [PAGE]: '<meta http-equiv=refresh content="0; url=/gone"><a href=/gone2>x</a>' });
  const data = extractLinks('not found', 'http://s.example/gone', { rendered: true });
  const { findings } = await brokenLinks.run(
    task(PAGE, [{ name: 'web-page-links', data, parts: [] }]),
    context,
  );
  expect(findings.map(({ url }) => url)).toEqual(['http://s.example/gone', 'http://s.example/gone2']);
});

test('the pages of a run share requests', async () => {
  const { context, requested } = run({ [PAGE]: '<a href=/gone>x</a>', [`${PAGE}2`]: '<a href=/gone>x</a>' });
  const results = await Promise.all([PAGE, `${PAGE}2`].map((url) => brokenLinks.run(task(url), context)));
  expect(results.map(({ findings }) => findings.length)).toEqual([1, 1]);
  // A HEAD that fails is repeated as GET before the link counts as broken.
  expect(requested.filter((line) => line.endsWith('/gone'))).toEqual([
    'HEAD http://s.example/gone',
    'GET http://s.example/gone',
  ]);
});

test('a page that cannot be read is an error, not a page without faults', async () => {
  const { context } = run({});
  await expect(brokenLinks.run(task(PAGE), context)).rejects.toThrow('HTTP 404');
});

test('outcomes at the end of the time limit are kept, and the other addresses are counted', async () => {
  const { context } = run({
    [PAGE]: '<a href=/gone>x</a><a href=/never>y</a><link rel=stylesheet href=/never.css>',
  });
  const { fetch } = context;
  const logged: string[] = [];
  const slow: PageContext = {
    ...context,
    timeoutMs: 2_000,
    fetch: (url, options) => (url.includes('/never') ? new Promise(() => {}) : fetch(url, options)),
    log: ({ message }) => logged.push(message),
  };
  const { findings, data, summary } = await brokenLinks.run(task(PAGE), slow);
  expect(findings.map(({ url }) => url)).toEqual(['http://s.example/gone']);
  expect(data).toEqual({ linksChecked: 1, linksBroken: 1, linksUnchecked: 2 });
  expect(summary).toBe('Checked 1 addresses; 1 of them fail. Time was over before 2 more answered.');
  expect(logged).toEqual([`${PAGE}: 2 addresses could not be checked in time.`]);
});

test('the response sums up a run by reason', async () => {
  const { context } = run({ [PAGE]: '<a href=/gone>x</a><a href="http://[bad">y</a>' });
  const result = await brokenLinks.run(task(PAGE), context);
  const { brokenLinksResults } = await brokenLinksResponse.respond([{ url: PAGE, result }], {
    total: 2,
    gravest: result.findings.map((finding) => ({ ...finding, sourceUrl: PAGE })),
    byErrorType: { http_error: 1, unknown: 1 },
  });
  expect(brokenLinksResults).toMatchObject({
    pagesChecked: 1,
    linksChecked: 2,
    totalBrokenLinks: 2,
    byErrorType: { http_error: 1, unknown: 1 },
  });
  expect(brokenLinksResults.brokenLinks[0]).toMatchObject({
    pageUrl: PAGE,
    url: 'http://s.example/gone',
    statusCode: 404,
  });
});
