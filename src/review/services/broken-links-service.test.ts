import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import { FetchFailure, type FetchFailureKind, type SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { extractLinks } from '../links/page/extract-links.ts';
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

/** A run over a site and over hosts outside, by their failures; other hosts answer with 200. */
function runWithOutside(pages: Record<string, string>, failures: Record<string, FetchFailureKind>) {
  const { context, requested } = run(pages);
  const fetch: SafeFetch = async (url, options) => {
    const { host } = new URL(url);
    if (new URL(PAGE).host === host) return await context.fetch(url, options);
    requested.push(`${options?.method} ${url}`);
    await nextTurn();
    const failure = failures[host];
    if (failure) throw new FetchFailure(failure, url, 'failed');
    return { url, status: 200, headers: {}, body: new Uint8Array(), truncated: false, redirects: [] };
  };
  const logged: string[] = [];
  const log: PageContext['log'] = ({ message }) => void logged.push(message);
  return { requested, logged, context: { ...context, fetch, log } };
}

const withOptions = (url: string, options: object): PageTask => ({
  ...task(url),
  execution: { strategyOptions: { 'broken-links': options } },
});

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

const OUTSIDE =
  '<a href=http://a.example.com/>a</a><a href=http://b.example.com/>b</a><a href=http://c.example.com/>c</a>';

test('a dead host outside is reported as far as it is sure, one cause a host', async () => {
  const { context } = runWithOutside(
    { [PAGE]: `${OUTSIDE}<a href=http://a.example.com/2>2</a><a href=http://d.example.com/>d</a>` },
    { 'a.example.com': 'dns', 'b.example.com': 'connect', 'c.example.com': 'timeout' },
  );
  const { findings } = await brokenLinks.run(task(PAGE), context);
  expect(findings.map(({ url, severity, confidence, cause }) => [url, severity, confidence, cause])).toEqual([
    ['http://a.example.com/', 'medium', 90, 'host a.example.com'],
    ['http://b.example.com/', 'medium', 80, 'host b.example.com'],
    ['http://c.example.com/', 'medium', 60, 'host c.example.com'],
    ['http://a.example.com/2', 'medium', 90, 'host a.example.com'],
  ]);
});

test('where no host outside answers, that is noted once, and further pages ask no more', async () => {
  const { context, logged, requested } = runWithOutside(
    {
      [PAGE]: `${OUTSIDE}<a href=/gone>x</a>`,
      [`${PAGE}2`]: `${OUTSIDE}<a href=http://e.example.com/>e</a>`,
    },
    { 'a.example.com': 'dns', 'b.example.com': 'dns', 'c.example.com': 'dns', 'e.example.com': 'dns' },
  );
  const first = await brokenLinks.run(task(PAGE), context);
  const second = await brokenLinks.run(task(`${PAGE}2`), context);
  expect(first.findings.map(({ url }) => url)).toEqual(['http://s.example/gone']);
  expect(first.data).toEqual({ linksChecked: 1, linksBroken: 1, linksUnchecked: 3 });
  expect(first.summary).toContain(
    'No host outside of the site answers, so 3 addresses there are not judged.',
  );
  expect(second.findings).toEqual([]);
  expect(second.data).toEqual({ linksChecked: 0, linksBroken: 0, linksUnchecked: 4 });
  expect(logged.filter((line) => line.includes('No host outside'))).toHaveLength(1);
  expect(requested.filter((line) => line.includes('e.example.com'))).toEqual([]);
});

test('internalOnly and skip leave addresses alone', async () => {
  const html = `${OUTSIDE}<a href=/gone>x</a><a href=/old/gone>y</a><link rel=stylesheet href=/s.css>`;
  const { context, requested } = runWithOutside({ [PAGE]: html }, { 'a.example.com': 'dns' });
  const options = { internalOnly: true, skip: ['/old/**', '/*.css'] };
  const { findings, data } = await brokenLinks.run(withOptions(PAGE, options), context);
  expect(findings.map(({ url }) => url)).toEqual(['http://s.example/gone']);
  expect(data).toEqual({ linksChecked: 1, linksBroken: 1 });
  expect(requested.filter((line) => /example\.com|old|css/.test(line))).toEqual([]);
});

test('beyond maxFindings the gravest are kept and the others counted', async () => {
  const html = '<img src=/1.png><a href=/1>1</a><a href=mailto:x>x</a><a href=/2>2</a><img src=/2.png>';
  const { context } = run({ [PAGE]: html });
  const result = await brokenLinks.run(withOptions(PAGE, { maxFindings: 3 }), context);
  expect(result.findings.map(({ url }) => url)).toEqual([
    'http://s.example/1.png',
    'http://s.example/1',
    'http://s.example/2',
  ]);
  expect(result.data).toEqual({
    linksChecked: 4,
    linksBroken: 4,
    findingsOmitted: 2,
    omittedByErrorType: { http_error: 1 },
  });
  expect(result.summary).toContain('2 findings beyond the limit of the agent are only counted.');
  const { brokenLinksResults } = await brokenLinksResponse.respond([{ url: PAGE, result }], {
    total: 3,
    gravest: [],
    byErrorType: { http_error: 3 },
  });
  expect(brokenLinksResults).toMatchObject({ totalBrokenLinks: 4, byErrorType: { http_error: 4 } });
});

test('advice has no error type and does not count as broken', async () => {
  const { context } = run({ [PAGE]: '<a href="tel:n/a">call</a><a href=/gone>x</a>' });
  const { findings, data } = await brokenLinks.run(task(PAGE), context);
  expect(findings.map(({ issueType, errorType }) => [issueType, errorType])).toEqual([
    ['broken-link', 'http_error'],
    ['invalid-phone-number', undefined],
  ]);
  expect(data).toMatchObject({ linksBroken: 1 });
});
