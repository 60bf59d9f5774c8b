import type { Logger } from 'pino';
import type { Outside } from '../../outside/outside.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { listPlan, planPages } from '../../store/agents/execution-pages.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import { followsLinks, type Run } from '../core/run-state.ts';
import { usesBrowser } from '../gather/index.ts';
import { pageKey } from '../links/page/address.ts';
import { pageUrlsOf } from '../links/page/page-links.ts';
import { linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';
import { handlesType } from '../plan/content-type-filter.ts';
import { planGathering } from '../plan/plan-gathering.ts';
import { inScope } from '../plan/plan-pages.ts';
import { linksIn, logReadings } from '../plan/read-links.ts';
import { reviewPage } from './review-page.ts';

const PAGES_AT_ONCE = { withBrowser: 4, without: 8 };

/** Reviews the planned pages, several at once, and pages that are discovered through links added by scripts. */
export async function reviewPages(
  run: Run,
  lease: RunLease,
  context: RunContext,
  { outside, log, onPage }: { outside: Outside; log: Logger; onPage?: () => void },
): Promise<void> {
  const { db, scorer, ref, owner } = lease;
  const plan = await listPlan(db, ref);
  const known = new Set(plan.map((page) => pageKey(page.url)));
  const waiting = plan.filter((page) => page.status === 'planned').map((page) => page.url);
  const { strategies, linksAlone } = planGathering(run, outside.models);
  const limit = usesBrowser(strategies) && !linksAlone ? PAGES_AT_ONCE.withBrowser : PAGES_AT_ONCE.without;

  const review = async (url: string): Promise<void> => {
    const { gathered } = await reviewPage(run, url, context, { db, outside, scorer, owner, log });
    onPage?.();
    const links = linksIn(gathered);
    // The crawl has seen the links of a page that needed no browser.
    if (!followsLinks(run) || !links || links.reading?.rendered === false) return;
    // Nor are there new ones on a page that scripts draw, which the crawl has rendered.
    const { page } = (await linkCheckerOf(context).read(url, context.signal)).final;
    if (page?.scripts?.isDrawn) return;
    const discovered = await newPages(run, pageUrlsOf(links), known, context);
    if (discovered.length === 0) return;
    await db.transaction().execute(async (tx) => {
      await holdLease(tx, ref, owner);
      await planPages(tx, ref, discovered);
    });
    waiting.push(...discovered);
  };

  let active = 0;
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      if (waiting.length === 0 && active === 0) return resolve();
      while (active < limit && waiting.length > 0) {
        active += 1;
        review(waiting.shift()!).then(() => {
          active -= 1;
          next();
        }, reject);
      }
    };
    next();
  });
  if (linksAlone) logReadings(run, context);
}

/** Adds addresses to `known` that are pages the run should review, and returns their final URLs after redirects. */
async function newPages(
  { request, behavior, row }: Run,
  urls: string[],
  known: Set<string>,
  context: RunContext,
): Promise<string[]> {
  const isNew = (url: string) => !known.has(pageKey(url)) && inScope(behavior, url);
  const candidates = urls.filter(isNew);
  if (candidates.length === 0 || known.size >= request.maxUrlsToProcess) return [];
  const checker = linkCheckerOf(context);
  const fetched = await Promise.all(
    candidates.map((url) => checker.read(url, context.signal).catch(() => undefined)),
  );
  context.signal.throwIfAborted();
  const found: string[] = [];
  for (const answer of fetched) {
    if (!handlesType(behavior, answer?.final.contentType)) continue;
    const url = answer?.final.hasPage ? answer.final.url : undefined;
    if (url === undefined || !isNew(url) || !haveSameHost(url, row.seedUrl)) continue;
    if (known.size >= request.maxUrlsToProcess) break;
    known.add(pageKey(url));
    found.push(url);
  }
  return found;
}

const haveSameHost = (url: string, other: string): boolean => new URL(url).host === new URL(other).host;
