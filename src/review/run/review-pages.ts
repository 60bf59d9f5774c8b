import type { Logger } from 'pino';
import type { Outside } from '../../outside/outside.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { listPlan, planPages } from '../../store/agents/execution-pages.ts';
import type { RunContext, SiteContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import { followsLinks, type Run } from '../core/run-state.ts';
import { usesBrowser } from '../gather/index.ts';
import { type Seat, shareLoad } from '../gather/load-together.ts';
import { pageKey } from '../links/page/address.ts';
import { pageUrlsOf } from '../links/page/page-links.ts';
import { linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';
import { handlesType } from '../plan/content-type-filter.ts';
import { planGathering } from '../plan/plan-gathering.ts';
import { inScope } from '../plan/plan-pages.ts';
import { linksIn, logReadings } from '../plan/read-links.ts';
import { gatherTimeoutOf, reviewPage } from './review-page.ts';

const PAGES_AT_ONCE = { withBrowser: 4, without: 8 };

/** A run whose pages are planned. */
export interface PlannedRun {
  run: Run;
  lease: RunLease;
  context: RunContext;
  outside: Outside;
  /** Log of the process. */
  log: Logger;
  onPage(): void;
}

interface Member extends PlannedRun {
  /** Pages that the run reviews, by their keys. */
  known: Set<string>;
  /** Pages that wait or are under review. */
  open: number;
  end: PromiseWithResolvers<void>;
  hasEnded: boolean;
  /** True if it opens each page in a browser. */
  opensPages: boolean;
  linksAlone: boolean;
}

/**
 * Reviews the planned pages of several runs, and pages that are discovered through links added by scripts. Several pages
 * are under review at once, each of them for all of its runs, which share its load. Returns the end of each run; a run
 * that fails does not stop the others.
 */
export async function reviewPages(runs: readonly PlannedRun[], site: SiteContext): Promise<Promise<void>[]> {
  const waiting = new Map<string, Set<Member>>();
  const add = (member: Member, urls: readonly string[]) => {
    member.open += urls.length;
    for (const url of urls) waiting.set(url, (waiting.get(url) ?? new Set()).add(member));
  };
  const members: Member[] = [];
  for (const planned of runs) {
    const member = memberOf(planned);
    members.push(member);
    const plan = await listPlan(planned.lease.db, planned.lease.ref).catch((error: unknown) => {
      fail(member, error);
      return [];
    });
    for (const { url } of plan) member.known.add(pageKey(url));
    add(
      member,
      plan.filter(({ status }) => status === 'planned').map(({ url }) => url),
    );
    endIfDone(member);
  }
  const limit = members.some(({ opensPages }) => opensPages)
    ? PAGES_AT_ONCE.withBrowser
    : PAGES_AT_ONCE.without;

  const take = async (url: string, taking: Member[]): Promise<void> => {
    const found = await reviewTogether(url, taking, site);
    // Added at once for all, so that they share these pages too.
    for (const [member, discovered] of found) add(member, discovered);
    for (const member of taking) {
      member.open--;
      endIfDone(member);
    }
  };
  let active = 0;
  const next = () => {
    for (const [url, wanted] of waiting) {
      if (active >= limit) return;
      waiting.delete(url);
      const taking = [...wanted].filter(({ hasEnded }) => !hasEnded);
      if (taking.length === 0) continue;
      active++;
      void take(url, taking).then(() => {
        active--;
        next();
      });
    }
  };
  next();
  return members.map(({ end }) => end.promise);
}

function memberOf(planned: PlannedRun): Member {
  const { strategies, linksAlone } = planGathering(planned.run, planned.outside.models);
  const end = Promise.withResolvers<void>();
  // It is reported by the run, which may begin to wait for it later.
  end.promise.catch(() => {});
  return {
    ...planned,
    known: new Set(),
    open: 0,
    end,
    hasEnded: false,
    opensPages: usesBrowser(strategies) && !linksAlone,
    linksAlone,
  };
}

function fail(member: Member, error: unknown): void {
  member.hasEnded = true;
  member.end.reject(error);
}

function endIfDone(member: Member): void {
  if (member.open > 0 || member.hasEnded) return;
  member.hasEnded = true;
  if (member.linksAlone) logReadings(member.run, member.context);
  member.end.resolve();
}

/** Reviews a page for each of its runs, on one load. Returns the pages that each discovered; never throws. */
async function reviewTogether(
  url: string,
  members: readonly Member[],
  site: SiteContext,
): Promise<[Member, string[]][]> {
  // A run that reads links alone opens no page of its own, but takes the links of one that is open anyway.
  const sharing = members.filter(({ opensPages, linksAlone }) => opensPages || linksAlone);
  const isShared = sharing.length > 1 && sharing.some(({ opensPages }) => opensPages);
  const timeoutMs = Math.max(...members.map(({ run }) => gatherTimeoutOf(run)));
  const seats = isShared ? shareLoad(site.browser, url, sharing.length, { ...site, timeoutMs }) : [];
  return await Promise.all(
    members.map(async (member): Promise<[Member, string[]]> => {
      const seat = seats[sharing.indexOf(member)];
      try {
        return [member, await reviewFor(member, url, seat)];
      } catch (error) {
        fail(member, error);
        return [member, []];
      } finally {
        seat?.pass();
      }
    }),
  );
}

/** Reviews a page for one run. Returns the pages that it discovered, which are planned. */
async function reviewFor(
  { run, lease, context, outside, log, onPage, known }: Member,
  url: string,
  seat: Seat | undefined,
): Promise<string[]> {
  const { db, scorer, ref, owner } = lease;
  const { gathered } = await reviewPage(run, url, context, { db, outside, scorer, owner, log, seat });
  onPage();
  const links = linksIn(gathered);
  // The crawl has seen the links of a page that needed no browser.
  if (!followsLinks(run) || !links || links.reading?.rendered === false) return [];
  // Nor are there new ones on a page that scripts draw, which the crawl has rendered.
  const { page } = (await linkCheckerOf(context).read(url, context.signal)).final;
  if (page?.scripts?.isDrawn) return [];
  const discovered = await newPages(run, pageUrlsOf(links), known, context);
  if (discovered.length === 0) return [];
  await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    await planPages(tx, ref, discovered);
  });
  return discovered;
}

/** Adds addresses to `known` that are pages the run should review, and returns their final URLs after redirects. */
async function newPages(
  run: Run,
  urls: string[],
  known: Set<string>,
  context: RunContext,
): Promise<string[]> {
  const { request, behavior, row } = run;
  const isNew = (url: string) => !known.has(pageKey(url)) && inScope(run, url);
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
