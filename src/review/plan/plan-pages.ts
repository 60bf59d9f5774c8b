import { matchesAny } from '../../lib/glob.ts';
import { untilAborted } from '../../lib/time.ts';
import type { RunContext, SiteContext } from '../core/execution-strategy.ts';
import { RunFault } from '../core/run-error.ts';
import { followsLinks, type Run } from '../core/run-state.ts';
import { namedPages } from '../cross-page/cross-page.ts';
import { collectSitemaps } from '../gather/sitemap-data.ts';
import { type CrawlResult, crawl } from '../links/crawl.ts';
import { pageKey } from '../links/page/address.ts';
import { type CheckerContext, linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';
import { pageReaderOf } from '../links/rendering/page-reader.ts';
import { loginPageFor } from '../session/login-page.ts';
import { filterByType } from './content-type-filter.ts';
import { needsSiteWords } from './words-of-run.ts';

const CRAWL_TIMEOUT_MS = 300_000;
const MAX_SITEMAP_ENTRIES = 10_000;

export interface Plan {
  urls: string[];
  crawlerResults?: Pick<CrawlResult, 'status' | 'totalUrlsFound' | 'pagesVisited' | 'pagesLeft'> & {
    /** Milliseconds. */
    duration: number;
    /** The login page to which the seed leads. */
    loginPage?: string;
  };
  /** Words of the site, if the service of the agent reads them. */
  siteWords?: string | undefined;
  /** Reason why there is no page to review, as a sentence. */
  nothing?: string | undefined;
}

/** True if the agent's page scope and the request admit a URL: one of the globs of each, if it has any, and no excluded one. */
export function inScope({ behavior: { scope }, request: { pages = [] } }: Planned, url: string): boolean {
  const isAmong = (globs: readonly string[]) => globs.length === 0 || matchesAny(globs, url);
  return isAmong(scope?.pageScope ?? []) && isAmong(pages) && !matchesAny(scope?.pageScopeExclude ?? [], url);
}

type Planned = Pick<Run, 'behavior' | 'request'>;
type PlanContext = Pick<RunContext, 'models' | 'log' | 'signal'> & CheckerContext & { site: SiteContext };

/**
 * Chooses the pages of a run: its seed or a crawl of the seed's site, those of its sitemap, and the pages that the agent
 * lists, as far as they are in scope and of a content type that the agent handles.
 */
export async function planRun(run: Run, context: PlanContext): Promise<Plan> {
  const found = followsLinks(run) ? await crawlSite(run, context) : seedAlone(run);
  const known = new Set(found.urls.map(pageKey));
  const further = [...(await sitemapPages(run, context)), ...namedPages(run, context.log)].filter(
    (url) => inScope(run, url) && !known.has(pageKey(url)) && known.add(pageKey(url)),
  );
  const all = [...found.urls, ...further].slice(0, run.request.maxUrlsToProcess);
  const urls = await filterByType(run.behavior, all, context);
  if (urls.length > 0) {
    const pages = urls.length === 1 ? 'one page' : `${urls.length} pages`;
    context.log({
      level: 'info',
      kind: 'phase',
      message: `Found ${pages} to review.`,
      data: { pages: urls.length, ...found.crawlerResults },
    });
    return { ...found, urls, nothing: undefined };
  }
  const nothing = all.length > 0 ? `The agent handles no content type of ${run.row.seedUrl}.` : found.nothing;
  return { ...found, urls, nothing };
}

function seedAlone(run: Run): Plan {
  const { seedUrl } = run.row;
  if (inScope(run, seedUrl)) return { urls: [seedUrl] };
  const whose = run.request.pages ? 'among the pages of the request' : "in the agent's page scope";
  return { urls: [], nothing: `${seedUrl} is not ${whose}.` };
}

/** Runs of a review with the same scope share one crawl. */
async function crawlSite(run: Run, context: PlanContext): Promise<Plan> {
  const { site, signal } = context;
  const { seedUrl } = run.row;
  const { pageScope, pageScopeExclude } = run.behavior.scope ?? {};
  const { maxUrlsToProcess, deviceType, pages } = run.request;
  const key = JSON.stringify([seedUrl, maxUrlsToProcess, deviceType, pages, pageScope, pageScopeExclude]);
  const startedAt = Date.now();
  const found = await untilAborted(
    site.once(`crawl ${key}`, () => startCrawl(run, context)),
    signal,
  );
  if (found.seedFailure !== undefined) {
    throw new RunFault('CRAWLER_ERROR', `The start page ${seedUrl} could not be read: ${found.seedFailure}.`);
  }
  const { status, totalUrlsFound, pagesVisited, pagesLeft } = found;
  const loginPage = loginPageFor(seedUrl, found.landed, context.log);
  return {
    urls: found.urls,
    siteWords: needsSiteWords(run) ? site.words?.stored() : undefined,
    crawlerResults: {
      ...{ status, totalUrlsFound, duration: Date.now() - startedAt, pagesVisited, pagesLeft },
      ...(loginPage !== undefined && { loginPage }),
    },
    nothing: `No page of ${seedUrl} is in ${pages ? 'the scope of the request and of its agent' : "the agent's page scope"}.`,
  };
}

function startCrawl(run: Run, context: PlanContext): Promise<CrawlResult> {
  const { site } = context;
  const accept = (url: string) => inScope(run, url);
  const reader = pageReaderOf(context, run.request.deviceType);
  return crawl({
    seedUrl: run.row.seedUrl,
    maxPages: run.request.maxUrlsToProcess,
    timeoutMs: CRAWL_TIMEOUT_MS,
    accept,
    checker: linkCheckerOf(context),
    render: reader.render,
    // Samples are rendered while the crawl goes on.
    onPage: (page, url) => site.readsLinksAlone && accept(url) && reader.foresee(page, url, site.signal),
    signal: site.signal,
  });
}

/** The pages of the start page's host in its sitemap, if the request asks for them. */
async function sitemapPages({ row, request }: Run, { site, log, signal }: PlanContext): Promise<string[]> {
  if (!request.sitemap) return [];
  const { seedUrl } = row;
  const { entries, sitemaps, errors } = await untilAborted(
    site.once(`sitemap ${seedUrl}`, () =>
      collectSitemaps(seedUrl, MAX_SITEMAP_ENTRIES, site.fetch, site.signal),
    ),
    signal,
  );
  for (const { url, message } of errors)
    log({ level: 'warn', message: `The sitemap ${url} could not be read: ${message}`, data: { url } });
  if (sitemaps.length === 0) log({ level: 'warn', message: `${seedUrl} has no sitemap that can be read.` });
  const { host } = new URL(seedUrl);
  return entries.flatMap(({ loc }) => pageOf(loc, host) ?? []);
}

/** The address of a page on a host as browsers write it; undefined for all other texts in a sitemap. */
function pageOf(loc: string, host: string): string | undefined {
  const url = URL.parse(loc);
  const isPage = url?.host === host && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  return isPage ? url.href : undefined;
}
