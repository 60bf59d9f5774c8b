import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createSafeFetch } from '../src/outside/net/safe-fetch.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import type { PageContext, PageTask } from '../src/review/core/execution-strategy.ts';
import { gatherAll } from '../src/review/gather/gather.ts';
import type { PageLinks } from '../src/review/links/page-links.ts';
import { pageUrlsOf } from '../src/review/links/page-links.ts';
import { crawler } from '../src/review/services/crawler-service.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const WAYS = {
  http: { pages: Number(process.env.HTTP_PAGES ?? 2_000), site: './links-site.ts', first: '' },
  browser: { pages: Number(process.env.BROWSER_PAGES ?? 80), site: './rendered-site.ts', first: 'page/1' },
};
type Way = keyof typeof WAYS;
/** Of pages in the browser, as a run has them. */
const AT_ONCE = 4;

/** Each lists the pages that can be reached from the first one, as it comes, and answers how many it read. */
type Crawl = (seedUrl: string, pages: number) => Promise<number>;

const openFetch = () =>
  createSafeFetch(createGuard({ allowHosts: ['127.0.0.0/8'] }), { userAgent: 'redpen-bench' });

const contenders: Record<Way, Record<string, Crawl>> = {
  http: {
    async redpen(seedUrl, pages) {
      const fetch = openFetch();
      const made = new Map<string, unknown>();
      const context = {
        fetch,
        once: (key: string, make: () => unknown) => made.get(key) ?? made.set(key, make()).get(key),
        log: () => {},
        signal: new AbortController().signal,
      } as unknown as PageContext;
      const task = { url: seedUrl, execution: { crawlerConfig: { maxPages: pages } } } as unknown as PageTask;
      const { data } = await crawler.run(task, context);
      await fetch.close();
      return (data as { pagesVisited: number }).pagesVisited;
    },

    async crawlee(seedUrl, pages) {
      // By a name that is not resolved before it runs: the product's type check knows nothing of it.
      const { CheerioCrawler, Configuration } = await import(['@crawlee/cheerio'].join());
      return await crawlWith(CheerioCrawler, Configuration, { maxRequestsPerCrawl: pages }, seedUrl);
    },
  },

  browser: {
    async redpen(seedUrl, pages) {
      const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
      const fetch = openFetch();
      const browser = createBrowser({ guard, log: () => {}, maxPages: AT_ONCE });
      const known = new Set([seedUrl]);
      const waiting = [seedUrl];
      let read = 0;
      const readOne = async (url: string) => {
        const { gathered } = await gatherAll({
          url,
          deviceType: 'desktop',
          strategies: ['web-page-links'],
          strategyOptions: {},
          values: {},
          lighthouse: () => Promise.reject(new Error('Nothing is audited here.')),
          fetch,
          browser,
          signal: new AbortController().signal,
          log: () => {},
        });
        read += 1;
        for (const found of pageUrlsOf(gathered[0]!.data as PageLinks)) {
          if (known.size >= pages || known.has(found)) continue;
          known.add(found);
          waiting.push(found);
        }
      };
      let active = 0;
      await new Promise<void>((resolve, reject) => {
        const next = () => {
          if (waiting.length === 0 && active === 0) return resolve();
          while (active < AT_ONCE && waiting.length > 0) {
            active += 1;
            readOne(waiting.shift()!).then(() => {
              active -= 1;
              next();
            }, reject);
          }
        };
        next();
      });
      await Promise.all([browser.close(), fetch.close()]);
      return read;
    },

    async crawlee(seedUrl, pages) {
      const { path, env } = await findChromium({});
      Object.assign(process.env, env);
      const { PlaywrightCrawler, Configuration } = await import(['@crawlee/playwright'].join());
      const options = {
        maxRequestsPerCrawl: pages,
        maxConcurrency: AT_ONCE,
        minConcurrency: AT_ONCE,
        launchContext: { launchOptions: { executablePath: path, headless: true, args: ['--no-sandbox'] } },
        // The same question: what links has the page once its scripts have put in theirs?
        preNavigationHooks: [
          async (_context: unknown, going: Record<string, unknown>) => {
            going.waitUntil = 'networkidle';
          },
        ],
      };
      return await crawlWith(PlaywrightCrawler, Configuration, options, seedUrl);
    },
  },
};

interface CrawlerClass {
  new (
    options: object,
    configuration: object,
  ): { run(urls: string[]): Promise<{ requestsFinished: number }> };
}

async function crawlWith(
  Crawler: CrawlerClass,
  Configuration: new (options: object) => object,
  options: object,
  seedUrl: string,
): Promise<number> {
  const requestHandler = async ({ enqueueLinks }: { enqueueLinks(): Promise<unknown> }) => {
    await enqueueLinks();
  };
  const settings = { persistStorage: false, systemInfoV2: true, availableMemoryRatio: 0.9 };
  const crawlerOf = new Crawler({ ...options, requestHandler }, new Configuration(settings));
  return (await crawlerOf.run([seedUrl])).requestsFinished;
}

interface Result {
  read: number;
  seconds: number;
  rssMb: number;
}

const [, file, way, contender, seedUrl] = process.argv;
if (way && contender && seedUrl) {
  const begun = performance.now();
  const read = await contenders[way as Way][contender]!(seedUrl, WAYS[way as Way].pages);
  const seconds = (performance.now() - begun) / 1000;
  process.send!({ read, seconds, rssMb: process.resourceUsage().maxRSS / 1024 } satisfies Result);
  process.disconnect();
  setTimeout(() => process.exit(), 1_000).unref();
} else {
  for (const name of (process.env.WAYS?.split(',') ?? Object.keys(WAYS)) as Way[]) await compare(name);
}

async function compare(way: Way) {
  const site = fork(new URL(WAYS[way].site, import.meta.url));
  const [{ port }] = (await once(site, 'message')) as [{ port: number }];
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of process.env.CONTENDERS?.split(',') ?? Object.keys(contenders[way])) {
      const child = fork(file!, [way, name, `http://127.0.0.1:${port}/${WAYS[way].first}`], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const [{ read, seconds, rssMb }] = (await once(child, 'message')) as [Result];
      const rate = read / seconds;
      rates[name] = [...(rates[name] ?? []), rate];
      console.log(
        `${way}, ${name}: ${read} pages in ${seconds.toFixed(1)} s, ${rate.toFixed(1)} pages/s, ${rssMb.toFixed(0)} MB`,
      );
    }
  }
  site.disconnect();
  if (!rates.redpen || !rates.crawlee) return;
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  console.log(`${way}: ${(median(rates.redpen) / median(rates.crawlee)).toFixed(2)} times crawlee`);
}
