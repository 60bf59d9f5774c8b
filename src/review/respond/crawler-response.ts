import type { TaskResult } from '../core/execute-task.ts';

interface CrawlerData {
  status: string;
  totalUrlsFound: number;
  duration: number;
  pagesVisited: number;
  urls: string[];
}

/** Sums up a run of `crawler`; of several seeds the pages are joined, each once. */
export function crawlerResponse(results: { url: string; result: TaskResult }[]) {
  const crawls = results.flatMap(({ result }) => (isCrawlerData(result.data) ? [result.data] : []));
  const sum = (of: (data: CrawlerData) => number) => crawls.reduce((total, data) => total + of(data), 0);
  const unfinished = crawls.find(({ status }) => status !== 'complete');
  return {
    crawlerResults: {
      status: unfinished?.status ?? 'complete',
      totalUrlsFound: sum((data) => data.totalUrlsFound),
      duration: sum((data) => data.duration),
      pagesVisited: sum((data) => data.pagesVisited),
      urls: [...new Set(crawls.flatMap(({ urls }) => urls))],
    },
  };
}

const isCrawlerData = (data: unknown): data is CrawlerData =>
  typeof data === 'object' && data !== null && 'urls' in data && Array.isArray(data.urls);
