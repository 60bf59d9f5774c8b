import { matchesAny } from '../../lib/glob.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import { RunFault } from '../core/run-error.ts';
import { followsLinks, type Run } from '../core/run-state.ts';
import { namedPages } from '../cross-page/cross-page.ts';
import { type CrawlResult, crawl } from '../links/crawl.ts';
import { pageKey } from '../links/page/address.ts';
import { linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';
import { pageReaderOf } from '../links/rendering/page-reader.ts';
import { filterByType } from './content-type-filter.ts';
import { planGathering } from './plan-gathering.ts';
import { needsSiteWords, tapWords } from './words-of-run.ts';

const CRAWL_TIMEOUT_MS = 300_000;

export interface Plan {
  urls: string[];
  crawlerResults?: Pick<CrawlResult, 'status' | 'totalUrlsFound' | 'pagesVisited' | 'pagesLeft'> & {
    /** Milliseconds. */
    duration: number;
  };
  /** Words of the site, if the service of the agent reads them. */
  siteWords?: string | undefined;
  /** Reason why there is no page to review, as a sentence. */
  nothing?: string | undefined;
}

/** True if the agent's page scope admits a URL: one of its globs, if there are any, and no excluded one. */
export function inScope({ scope }: AgentBehavior, url: string): boolean {
  const included = scope?.pageScope ?? [];
  return (
    (included.length === 0 || matchesAny(included, url)) && !matchesAny(scope?.pageScopeExclude ?? [], url)
  );
}

type PlanContext = Pick<RunContext, 'once' | 'fetch' | 'browser' | 'models' | 'log' | 'signal'>;

/**
 * Chooses the pages of a run: its seed or a crawl of the seed's site, and the pages that the agent lists, as far as they
 * are in the agent's scope and of a content type that it handles.
 */
export async function planRun(run: Run, context: PlanContext): Promise<Plan> {
  const found = followsLinks(run) ? await crawlSite(run, context) : seedAlone(run);
  const known = new Set(found.urls.map(pageKey));
  const named = namedPages(run, context.log).filter(
    (url) => inScope(run.behavior, url) && !known.has(pageKey(url)) && known.add(pageKey(url)),
  );
  const all = [...found.urls, ...named].slice(0, run.request.maxUrlsToProcess);
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

function seedAlone({ behavior, row: { seedUrl } }: Run): Plan {
  return inScope(behavior, seedUrl)
    ? { urls: [seedUrl] }
    : { urls: [], nothing: `${seedUrl} is not in the agent's page scope.` };
}

async function crawlSite(run: Run, context: PlanContext): Promise<Plan> {
  const { seedUrl } = run.row;
  const startedAt = Date.now();
  const accept = (url: string) => inScope(run.behavior, url);
  const { linksAlone } = planGathering(run, context.models);
  const tap = needsSiteWords(run) ? tapWords(context.fetch) : undefined;
  const reading = tap ? { ...context, fetch: tap.fetch } : context;
  const reader = pageReaderOf(reading, run.request.deviceType);
  const found = await crawl({
    seedUrl,
    maxPages: run.request.maxUrlsToProcess,
    timeoutMs: CRAWL_TIMEOUT_MS,
    accept,
    checker: linkCheckerOf(reading),
    render: reader.render,
    // Samples are rendered while the crawl goes on.
    onPage: (page, url) => linksAlone && accept(url) && reader.foresee(page, url, context.signal),
    signal: context.signal,
  });
  if (found.seedFailure !== undefined) {
    throw new RunFault('CRAWLER_ERROR', `The start page ${seedUrl} could not be read: ${found.seedFailure}.`);
  }
  const { status, totalUrlsFound, pagesVisited, pagesLeft } = found;
  return {
    urls: found.urls,
    siteWords: tap?.end(),
    crawlerResults: { status, totalUrlsFound, duration: Date.now() - startedAt, pagesVisited, pagesLeft },
    nothing: `No page of ${seedUrl} is in the agent's page scope.`,
  };
}
