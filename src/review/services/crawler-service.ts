import { asObject, type Fields } from '../../lib/json.ts';
import { plural } from '../../lib/text/plural.ts';
import { type CrawlResult, crawl } from '../links/crawl.ts';
import { linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';
import { pageReaderOf } from '../links/rendering/page-reader.ts';
import type { Service } from './review-service.ts';

export interface CrawlerData {
  status: CrawlResult['status'];
  totalUrlsFound: number;
  /** Milliseconds. */
  duration: number;
  pagesVisited: number;
  /** Pages that the crawl knew of when its limit was reached. */
  pagesLeft: number;
  urls: string[];
}

const MAX_PAGES = 100;
const TIMEOUT_MS = 300_000;

/** Lists the pages of a site that links lead to from the reviewed one. */
export const crawler: Service = {
  id: 'crawler',
  isPublic: true,
  reads: [],
  isQuick: false,

  async run(task, context) {
    const startedAt = performance.now();
    const limits = crawlLimits(task.execution);
    const crawled = await crawl({
      seedUrl: task.url,
      ...limits,
      checker: linkCheckerOf(context),
      render: pageReaderOf(context, task.deviceType).render,
      signal: context.signal,
    });
    if (crawled.seedFailure) throw new Error(`The page could not be read: ${crawled.seedFailure}.`);
    const { status, totalUrlsFound, pagesVisited, pagesLeft, urls } = crawled;
    const duration = Math.round(performance.now() - startedAt);
    return {
      findings: [],
      data: { status, totalUrlsFound, duration, pagesVisited, pagesLeft, urls },
      summary: `Found ${plural(urls.length, 'page')}${pagesLeft > 0 ? ` of at least ${urls.length + pagesLeft}` : ''}.`,
    };
  },
};

function crawlLimits(execution: Fields) {
  const config = asObject(execution.crawlerConfig);
  const positive = (value: unknown, fallback: number) =>
    typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : fallback;
  return {
    maxPages: positive(config.maxPages, MAX_PAGES),
    timeoutMs: positive(config.timeout, TIMEOUT_MS),
    maxDepth: positive(config.maxDepth, 0),
  };
}
