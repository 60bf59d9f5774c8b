import { matchesAny } from '../lib/glob.ts';
import type { TaskContext } from './execute/strategy.ts';
import { crawl } from './links/crawl.ts';
import { runChecker } from './links/run-checker.ts';
import { RunFault } from './run-fault.ts';
import type { Run, RunBehavior } from './run-shape.ts';

const CRAWL_TIMEOUT_MS = 300_000;

export interface Plan {
  urls: string[];
  crawlerResults?: { status: string; totalUrlsFound: number; duration: number; pagesVisited: number };
  /** Why there is nothing to do, where there is nothing. */
  nothing?: string;
}

/** Whether the agent's page scope admits a URL: any of its globs where it has some, none of those excluded. */
export function inScope({ scope }: RunBehavior, url: string): boolean {
  const included = scope?.pageScope ?? [];
  return (
    (included.length === 0 || matchesAny(included, url)) && !matchesAny(scope?.pageScopeExclude ?? [], url)
  );
}

/** Decides which pages a run looks at: its seed, or the pages of the seed's site that are in scope. */
export async function planRun(
  run: Run,
  context: Pick<TaskContext, 'once' | 'fetch' | 'browser' | 'log' | 'signal'>,
): Promise<Plan> {
  const { seedUrl } = run.row;
  if (!run.request.crossPageExecute) {
    return inScope(run.behavior, seedUrl)
      ? { urls: [seedUrl] }
      : { urls: [], nothing: `${seedUrl} is not in the agent's page scope.` };
  }
  const startedAt = Date.now();
  const found = await crawl({
    seedUrl,
    maxPages: run.request.maxUrlsToProcess,
    timeoutMs: CRAWL_TIMEOUT_MS,
    accept: (url) => inScope(run.behavior, url),
    checker: runChecker(context),
    signal: context.signal,
  });
  if (found.seedFailure !== undefined) {
    throw new RunFault('CRAWLER_ERROR', `The start page ${seedUrl} could not be read: ${found.seedFailure}.`);
  }
  const { status, totalUrlsFound, pagesVisited } = found;
  const crawlerResults = { status, totalUrlsFound, duration: Date.now() - startedAt, pagesVisited };
  context.log({
    level: 'info',
    kind: 'phase',
    message: `Found ${found.urls.length} pages to look at.`,
    data: crawlerResults,
  });
  return {
    urls: found.urls,
    crawlerResults,
    ...(found.urls.length === 0 && { nothing: `No page of ${seedUrl} is in the agent's page scope.` }),
  };
}
