import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { createSafeFetch } from '../src/outside/net/safe-fetch.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import { crawl } from '../src/review/links/crawl.ts';
import { createChecker } from '../src/review/links/link-checker.ts';
import { faultsOf } from '../src/review/links/review-links.ts';
import { newKey, post } from './closed-loop.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';
import { memoryOfTree } from './process-memory.ts';
import { startService } from './service.ts';

// usage: node bench/links.ts [folder with a static site]
// ROUNDS and CONTENDERS (names with commas) change the measurement.
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MAX_PAGES = 10_000;

interface Result {
  pages: number;
  /** The checker and linkinator count each broken address once, the service once for each page that names it. */
  broken: number;
  rendered?: number;
  /** Duration, if it is not that of the whole process: starting a service is no part of a review. */
  seconds?: number;
}

// The agent of the service, but without the addresses of other hosts.
const AGENT = {
  name: 'Links',
  contextGathering: { strategies: ['web-page-links'] },
  execution: {
    executionStrategy: 'service',
    serviceId: 'broken-links',
    strategyOptions: { 'broken-links': { internalOnly: true } },
  },
};

// Each contender runs in a separate process, so that it neither warms up the other nor adds to its memory. All of them
// visit every page of the site, and check its links, images, scripts, stylesheets and fragments; none asks other hosts.
const contenders: Record<string, (seedUrl: string) => Promise<Result>> = {
  /** The whole service: agent `broken-links`, findings in the database, a browser for the pages that need it. */
  async service(seedUrl) {
    const service = await startService({ REDPEN_ALLOW_HOSTS: '127.0.0.0/8' });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOfTree(service.child.pid!));
    }, 1_000);
    try {
      return await reviewWithService(service.url, seedUrl);
    } finally {
      clearInterval(watch);
      console.log(`service and its browser: ${(peak / 1e6).toFixed(0)} MB at most`);
      await service.stop();
    }
  },

  /** Crawl and checks alone, in this process and without a browser. */
  async checker(seedUrl) {
    const guard = createGuard({ allowHosts: ['127.0.0.0/8'] });
    const fetch = createSafeFetch(guard, { userAgent: 'redpen-bench' });
    const checker = createChecker({ fetch });
    const { urls } = await crawl({ seedUrl, maxPages: MAX_PAGES, checker });
    const broken = new Set<string>();
    for (const url of urls) {
      const { page } = (await checker.read(url)).final;
      const own = page && { ...page, links: page.links.filter(({ internal }) => internal) };
      for (const { link } of own ? await faultsOf(own, checker) : []) broken.add(link.url);
    }
    await fetch.close();
    return { pages: urls.length, broken: broken.size };
  },

  async linkinator(seedUrl) {
    // The computed name keeps tsc from resolving a package that only bench/ installs.
    const { LinkChecker } = await import(['linkinator'].join());
    const checker = new LinkChecker();
    let pages = 0;
    checker.on('pagestart', () => pages++);
    const { origin } = new URL(seedUrl);
    const { links } = await checker.check({
      path: seedUrl,
      recurse: true,
      checkFragments: true,
      checkCss: true,
      linksToSkip: [`^(?!${origin})`],
    });
    const broken = links.filter(({ state }: { state: string }) => state === 'BROKEN');
    return { pages, broken: new Set(broken.map(({ url }: { url: string }) => url)).size };
  },
};

async function reviewWithService(serviceUrl: string, url: string): Promise<Result> {
  const client = new Pool(serviceUrl, { connections: 2 });
  const { headers } = await newKey(client);
  const { agentId } = await post(client, '/v2/agents/create', AGENT, headers);
  // The service checks its browser half a minute after its start.
  await sleep(40_000);
  await endOf(client, headers, { agentId, url });
  const startedAt = performance.now();
  const request = { agentId, url, crossPageExecute: true, maxUrlsToProcess: MAX_PAGES };
  const { status, resultsSummary } = await endOf(client, headers, request);
  const seconds = (performance.now() - startedAt) / 1000;
  await client.close();
  console.log(`service: ${status}. ${resultsSummary.summary}`);
  const { urlsProcessed, totalFindings, urlsRendered } = resultsSummary;
  return { pages: urlsProcessed, broken: totalFindings, rendered: urlsRendered, seconds };
}

/** Starts a run, and returns its execution once it has ended. */
async function endOf(client: Pool, headers: Record<string, string>, request: object) {
  const { executionId } = await post(client, '/v2/agents/execution/run', request, headers);
  for (;;) {
    const { execution } = await post(client, '/v2/agents/execution/get', { executionId }, headers);
    if (execution.status !== 'running') return execution;
    await sleep(250);
  }
}

const [, file, ...rest] = process.argv;
const [contender, seedUrl] = rest;
if (process.send && contender && seedUrl) {
  const startedAt = performance.now();
  const result = await contenders[contender]!(seedUrl);
  const seconds = (performance.now() - startedAt) / 1000;
  process.send({ seconds, ...result, rssMb: process.resourceUsage().maxRSS / 1024 });
  process.disconnect();
} else {
  await compare(rest[0]);
}

async function compare(folder: string | undefined) {
  const site = fork(new URL('./links-site.ts', import.meta.url), folder === undefined ? [] : [folder]);
  const { port } = await messageOf<{ port: number }>(site);
  const times: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of process.env.CONTENDERS?.split(',') ?? Object.keys(contenders)) {
      const child = fork(file!, [name, `http://127.0.0.1:${port}/`]);
      const result = await messageOf<Result & { seconds: number; rssMb: number }>(child);
      const { pages, broken, rendered, seconds, rssMb } = result;
      times[name] = [...(times[name] ?? []), seconds];
      const extra = rendered === undefined ? '' : `, ${rendered} rendered`;
      console.log(
        `${name}: ${pages} pages${extra}, ${broken} broken addresses in ${seconds.toFixed(1)} s, ${rssMb.toFixed(0)} MB`,
      );
    }
  }
  site.disconnect();
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  for (const name of Object.keys(times).filter((one) => one !== 'linkinator' && times.linkinator)) {
    report({
      name: `review of the links of a site, ${name}`,
      value: median(times[name]!),
      unit: 's',
      references: { linkinator: median(times.linkinator!) },
    });
    console.log(`${name}: ${(median(times[name]!) / median(times.linkinator!)).toFixed(2)} times linkinator`);
  }
}
