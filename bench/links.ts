import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createSafeFetch } from '../src/outside/net/safe-fetch.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import { crawl } from '../src/review/links/crawl.ts';
import { createChecker } from '../src/review/links/link-checker.ts';
import type { PageLinks } from '../src/review/links/page-links.ts';
import { faultsOf } from '../src/review/links/review-links.ts';

// Each contender runs in a separate process, so that it neither warms up the other nor adds to its memory.
const contenders: Record<string, (seedUrl: string) => Promise<number>> = {
  async redpen(seedUrl) {
    const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.0/8'] }), {
      userAgent: 'redpen-bench',
    });
    const checker = createChecker({ fetch });
    const pages: PageLinks[] = [];
    await crawl({ seedUrl, maxPages: 5_000, checker, onPage: (page) => pages.push(page) });
    let links = 0;
    for (const page of pages) {
      await faultsOf(page, checker);
      links += page.links.length;
    }
    await fetch.close();
    return links;
  },

  async linkinator(seedUrl) {
    // The computed name keeps tsc from resolving a package that only bench/ installs.
    const { LinkChecker } = await import(['linkinator'].join());
    const checker = new LinkChecker();
    let pages = 0;
    checker.on('pagestart', () => pages++);
    await checker.check({ path: seedUrl, recurse: true, checkFragments: true, checkCss: true });
    return pages * 30;
  },
};

const [, file, contender, seedUrl] = process.argv;
if (contender && seedUrl) {
  const startedAt = performance.now();
  const links = await contenders[contender]!(seedUrl);
  const seconds = (performance.now() - startedAt) / 1000;
  process.send!({ links, seconds, rssMb: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
} else {
  await compare();
}

async function compare() {
  const site = fork(new URL('./links-site.ts', import.meta.url));
  const [{ port }] = (await once(site, 'message')) as [{ port: number }];
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < 3; round++) {
    for (const name of Object.keys(contenders)) {
      const child = fork(file!, [name, `http://127.0.0.1:${port}/`]);
      const [result] = (await once(child, 'message')) as [{ links: number; seconds: number; rssMb: number }];
      const rate = result.links / result.seconds;
      rates[name] = [...(rates[name] ?? []), rate];
      const { links, seconds, rssMb } = result;
      console.log(
        `${name}: ${links} links in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} links/s, ${rssMb.toFixed(0)} MB`,
      );
    }
  }
  site.disconnect();
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  console.log(`ratio: ${(median(rates.redpen!) / median(rates.linkinator!)).toFixed(2)}`);
}
