import type { CrawlerData } from '../services/crawler-service.ts';
import { hasList, itemsOf, responseAdapter } from './response-adapter.ts';

/** The pages that a crawl found; those of several seeds are joined, each once. */
export const crawlerResponse = responseAdapter({
  name: 'crawler-response',
  onExecution: true,

  async respond(pages) {
    const crawls = await itemsOf(pages, isCrawlerData, ({ data }) => data);
    const sum = (key: 'totalUrlsFound' | 'duration' | 'pagesVisited' | 'pagesLeft') =>
      crawls.reduce((total, data) => total + (data[key] ?? 0), 0);
    const unfinished = crawls.find(({ status }) => status !== 'complete');
    return {
      crawlerResults: {
        status: unfinished?.status ?? 'complete',
        totalUrlsFound: sum('totalUrlsFound'),
        duration: sum('duration'),
        pagesVisited: sum('pagesVisited'),
        pagesLeft: sum('pagesLeft'),
        urls: [...new Set(crawls.flatMap(({ urls }) => urls))],
      },
    };
  },
});

const isCrawlerData = (data: unknown): data is CrawlerData => hasList(data, 'urls');
