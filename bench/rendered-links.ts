import { fork } from 'node:child_process';
import { browserOfRun } from '../src/outside/browser/browser.ts';
import { createBrowser } from '../src/outside/browser/browser-pool.ts';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createSafeFetch } from '../src/outside/net/safe-fetch.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import { gatherAll } from '../src/review/gather/gather.ts';
import { createChecker } from '../src/review/links/link-checker.ts';
import type { PageLinks } from '../src/review/links/page/page-links.ts';
import { faultsOf } from '../src/review/links/review-links.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const PAGES = Number(process.env.PAGES ?? 60);
const AT_ONCE = 4;

const contenders: Record<string, (site: string) => Promise<number>> = {
  async redpen(site) {
    const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
    const fetch = createSafeFetch(guard, { userAgent: 'redpen-bench' });
    const browser = browserOfRun(createBrowser({ guard, log: () => {}, maxPages: AT_ONCE }));
    const checker = createChecker({ fetch });
    const { signal } = new AbortController();
    let links = 0;
    const pending = Array.from({ length: PAGES }, (_, number) => `${site}page/${number}`);
    const work = async () => {
      for (let url = pending.shift(); url; url = pending.shift()) {
        const { gathered } = await gatherAll({
          url,
          deviceType: 'desktop',
          strategies: ['web-page-links'],
          strategyOptions: {},
          values: {},
          lighthouse: () => Promise.reject(new Error('This benchmark runs no audits.')),
          fetch,
          browser,
          signal,
          log: () => {},
        });
        const page = gathered[0]!.data as PageLinks;
        await faultsOf(page, checker);
        links += page.links.length;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await Promise.all([browser.close(), fetch.close()]);
    return links;
  },

  async crawlee(site) {
    const { path, env } = await findChromium({});
    Object.assign(process.env, env);
    // The computed names keep tsc from resolving packages that only bench/ installs.
    const { PuppeteerCrawler, Configuration } = await import(['@crawlee/puppeteer'].join());
    const puppeteer = await import(['puppeteer-core'].join());
    let links = 0;
    const crawler = new PuppeteerCrawler(
      {
        maxConcurrency: AT_ONCE,
        minConcurrency: AT_ONCE,
        launchContext: {
          launcher: puppeteer.default,
          launchOptions: { executablePath: path, headless: true, args: ['--no-sandbox'] },
        },
        preNavigationHooks: [
          async (_context: unknown, options: Record<string, unknown>) => {
            options.waitUntil = 'networkidle0';
          },
        ],
        // The same work as Redpen: collects the links of the rendered page and requests each target once.
        async requestHandler({
          page,
        }: {
          page: { $$eval(selector: string, read: unknown): Promise<string[]> };
        }) {
          const found = await page.$$eval('a[href]', (elements: HTMLAnchorElement[]) =>
            elements.map(({ href }) => href),
          );
          links += found.length;
          for (const href of new Set(found))
            requested.set(href, requested.get(href) ?? fetch(href).then((response) => response.bytes()));
          await Promise.all([...new Set(found)].map((href) => requested.get(href)));
        },
      },
      new Configuration({ persistStorage: false, systemInfoV2: true, availableMemoryRatio: 0.9 }),
    );
    const requested = new Map<string, Promise<unknown>>();
    await crawler.run(Array.from({ length: PAGES }, (_, number) => `${site}page/${number}`));
    return links;
  },
};

const [, file, contender, site] = process.argv;
if (contender && site) {
  const startedAt = performance.now();
  const links = await contenders[contender]!(site);
  const seconds = (performance.now() - startedAt) / 1000;
  process.send!({ links, seconds });
  process.disconnect();
  setTimeout(() => process.exit(), 1_000).unref();
} else {
  await compare();
}

async function compare() {
  const server = fork(new URL('./rendered-site.ts', import.meta.url));
  const { port } = await messageOf<{ port: number }>(server);
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(contenders)) {
      const child = fork(file!, [name, `http://127.0.0.1:${port}/`], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const { links, seconds } = await messageOf<{ links: number; seconds: number }>(child);
      const rate = PAGES / seconds;
      rates[name] = [...(rates[name] ?? []), rate];
      console.log(
        `${name}: ${PAGES} pages, ${links} links in ${seconds.toFixed(1)} s, ${rate.toFixed(1)} pages/s`,
      );
    }
  }
  server.disconnect();
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  report({
    name: 'pages rendered and their links reviewed',
    value: median(rates.redpen!),
    unit: '/s',
    references: { crawlee: median(rates.crawlee!) },
  });
  console.log(`ratio: ${(median(rates.redpen!) / median(rates.crawlee!)).toFixed(2)}`);
}
