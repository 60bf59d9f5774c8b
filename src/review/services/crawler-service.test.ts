import { expect, test } from 'vitest';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { crawlerResponse } from '../respond/crawler-response.ts';
import { crawler } from './crawler-service.ts';

const SEED = 'http://s.example/';

function contextOf(pages: Record<string, string>): PageContext {
  const fetch: SafeFetch = async (url) => {
    const html = pages[new URL(url).pathname];
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
  return {
    ...bareContext,
    fetch,
    browser,
    storeArtifact: async () => 'artifact',
    signal: new AbortController().signal,
  };
}

const task = (execution: Record<string, unknown> = {}): PageTask => ({
  ...bareTask,
  url: SEED,
  execution,
  gathered: [],
});

const noFindings = { total: 0, gravest: [], byErrorType: {} };

test('the pages of a site are the data of the crawler, without findings', async () => {
  const context = contextOf({ '/': '<a href=/a>x</a><a href=/gone>y</a>', '/a': '' });
  const result = await crawler.run(task(), context);
  expect(result.findings).toEqual([]);
  expect(result.data).toMatchObject({
    status: 'complete',
    totalUrlsFound: 3,
    pagesVisited: 2,
    urls: [SEED, `${SEED}a`],
  });
  const { crawlerResults } = await crawlerResponse.respond(
    [
      { url: SEED, result },
      { url: SEED, result },
    ],
    noFindings,
  );
  expect(crawlerResults).toMatchObject({ status: 'complete', pagesVisited: 4, urls: [SEED, `${SEED}a`] });
});

test('the number of pages is bounded by the configuration', async () => {
  const context = contextOf({ '/': '<a href=/a>x</a><a href=/b>y</a>', '/a': '', '/b': '' });
  const result = await crawler.run(task({ crawlerConfig: { maxPages: 2 } }), context);
  expect(result.data).toMatchObject({ status: 'max-pages', urls: [SEED, `${SEED}a`] });
});

test('a seed that cannot be read is an error', async () => {
  await expect(crawler.run(task(), contextOf({}))).rejects.toThrow('HTTP 404');
});
