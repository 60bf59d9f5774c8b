import { fork } from 'node:child_process';
import { browserOfRun } from '../src/outside/browser/browser.ts';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createSafeFetch } from '../src/outside/net/safe-fetch.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import type { PageContext, PageTask } from '../src/review/core/execution-strategy.ts';
import { gatherAll } from '../src/review/gather/gather.ts';
import type { PageLinks } from '../src/review/links/page/page-links.ts';
import { pageUrlsOf } from '../src/review/links/page/page-links.ts';
import { crawler } from '../src/review/services/crawler-service.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MODES = {
  http: { pages: Number(process.env.HTTP_PAGES ?? 2_000), site: './links-site.ts', first: '' },
  browser: { pages: Number(process.env.BROWSER_PAGES ?? 80), site: './rendered-site.ts', first: 'page/1' },
};
type Mode = keyof typeof MODES;
/** Pages open in the browser at the same time, as in a run. */
const AT_ONCE = 4;

/** Visits up to `pages` pages that are reachable from the first; returns the number of visited pages. */
type Crawl = (seedUrl: string, pages: number) => Promise<number>;

const openFetch = () =>
  createSafeFetch(createGuard({ allowHosts: ['127.0.0.0/8'] }), { userAgent: 'redpen-bench' });

const contenders: Record<Mode, Record<string, Crawl>> = {
  http: {
    async redpen(seedUrl, pages) {
      const fetch = openFetch();
      const cache = new Map<string, unknown>();
      const context = {
        fetch,
        once: (key: string, create: () => unknown) => cache.get(key) ?? cache.set(key, create()).get(key),
        log: () => {},
        signal: new AbortController().signal,
      } as unknown as PageContext;
      const task = { url: seedUrl, execution: { crawlerConfig: { maxPages: pages } } } as unknown as PageTask;
      const { data } = await crawler.run(task, context);
      await fetch.close();
      return (data as { pagesVisited: number }).pagesVisited;
    },

    async crawlee(seedUrl, pages) {
      // The computed name keeps tsc from resolving a package that only bench/ installs.
      const { CheerioCrawler, Configuration } = await import(['@crawlee/cheerio'].join());
      return await crawlWith(CheerioCrawler, Configuration, { maxRequestsPerCrawl: pages }, seedUrl);
    },
  },

  browser: {
    async redpen(seedUrl, pages) {
      const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
      const fetch = openFetch();
      const browser = browserOfRun(createBrowser({ guard, log: () => {}, maxPages: AT_ONCE }));
      const known = new Set([seedUrl]);
      const pending = [seedUrl];
      let visited = 0;
      const visit = async (url: string) => {
        const { gathered } = await gatherAll({
          url,
          deviceType: 'desktop',
          strategies: ['web-page-links'],
          strategyOptions: {},
          values: {},
          lighthouse: () => Promise.reject(new Error('This benchmark runs no audits.')),
          fetch,
          browser,
          signal: new AbortController().signal,
          log: () => {},
        });
        visited += 1;
        for (const found of pageUrlsOf(gathered[0]!.data as PageLinks)) {
          if (known.size >= pages || known.has(found)) continue;
          known.add(found);
          pending.push(found);
        }
      };
      let active = 0;
      await new Promise<void>((resolve, reject) => {
        const next = () => {
          if (pending.length === 0 && active === 0) return resolve();
          while (active < AT_ONCE && pending.length > 0) {
            active += 1;
            visit(pending.shift()!).then(() => {
              active -= 1;
              next();
            }, reject);
          }
        };
        next();
      });
      await Promise.all([browser.close(), fetch.close()]);
      return visited;
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
        // The same work as Redpen: waits for the links that scripts add.
        preNavigationHooks: [
          async (_context: unknown, gotoOptions: Record<string, unknown>) => {
            gotoOptions.waitUntil = 'networkidle';
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
  const instance = new Crawler({ ...options, requestHandler }, new Configuration(settings));
  return (await instance.run([seedUrl])).requestsFinished;
}

interface Result {
  visited: number;
  seconds: number;
  rssMb: number;
}

const [, file, mode, contender, seedUrl] = process.argv;
if (mode && contender && seedUrl) {
  const startedAt = performance.now();
  const visited = await contenders[mode as Mode][contender]!(seedUrl, MODES[mode as Mode].pages);
  const seconds = (performance.now() - startedAt) / 1000;
  process.send!({ visited, seconds, rssMb: process.resourceUsage().maxRSS / 1024 } satisfies Result);
  process.disconnect();
  setTimeout(() => process.exit(), 1_000).unref();
} else {
  for (const name of (process.env.WAYS?.split(',') ?? Object.keys(MODES)) as Mode[]) await compare(name);
}

async function compare(mode: Mode) {
  const site = fork(new URL(MODES[mode].site, import.meta.url));
  const { port } = await messageOf<{ port: number }>(site);
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of process.env.CONTENDERS?.split(',') ?? Object.keys(contenders[mode])) {
      const child = fork(file!, [mode, name, `http://127.0.0.1:${port}/${MODES[mode].first}`], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const { visited, seconds, rssMb } = await messageOf<Result>(child);
      const rate = visited / seconds;
      rates[name] = [...(rates[name] ?? []), rate];
      console.log(
        `${mode}, ${name}: ${visited} pages in ${seconds.toFixed(1)} s, ${rate.toFixed(1)} pages/s, ${rssMb.toFixed(0)} MB`,
      );
    }
  }
  site.disconnect();
  if (!rates.redpen || !rates.crawlee) return;
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  report({
    name: `pages crawled, ${mode}`,
    value: median(rates.redpen),
    unit: '/s',
    references: { crawlee: median(rates.crawlee) },
  });
  console.log(`${mode}: ${(median(rates.redpen) / median(rates.crawlee)).toFixed(2)} times crawlee`);
}
