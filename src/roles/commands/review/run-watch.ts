import type { Report } from '../../../report/report.ts';
import { linksOfSite } from '../../../review/services/broken-links-site.ts';
import type { Baseline } from './baseline.ts';
import { allowedHostsOf, ServiceDied, startEmbedded } from './embedded-service.ts';
import { Interrupted, type Interruption, rejectOnAbort, watchSignals } from './interruption.ts';
import { cancelStarted, openReviewApi, type ReviewApi } from './review-api.ts';
import { type ReviewPlan, type Watched, WrongUse } from './review-settings.ts';
import { agentsOf } from './review-states.ts';
import {
  exitCodes,
  explainRefusal,
  isRefusal,
  judgeReport,
  picturesOf,
  type ReviewIo,
  readBaseline,
  screenOf,
} from './run-review.ts';
import { openProgress } from './show-progress.ts';
import { showRound } from './show-round.ts';
import { type Change, type ChangeSource, listShort } from './watch/change.ts';
import { pollPages } from './watch/poll-pages.ts';
import { type ServedFolder, serveFolder } from './watch/serve-folder.ts';
import { watchFolder } from './watch/watch-folder.ts';
import { joinReports, joinRounds, type Round } from './watch-rounds.ts';
import { openWorkplace, type Workplace } from './workplace.ts';
import { checkPlaces, printReport, writeReports } from './write-reports.ts';

/** The service takes no review with more runs. */
const MOST_RUNS = 100;
/** Scores that differ from one load of a page to the next are neither new nor fixed. */
const UNSTEADY = 'performance';

/** Names the first review, whose progress is shown in full. */
const FIRST = 'first';

type OrDeath = <T>(work: Promise<T>) => Promise<T>;

interface Session {
  pages: ChangeSource;
  plan: ReviewPlan;
  io: ReviewIo;
  baseline: Baseline | undefined;
  interruption: Interruption;
  workplace: Workplace | undefined;
  api: ReviewApi;
  /** Waits for a piece of work, and rejects if the service ends meanwhile. */
  orDeath: OrDeath;
  /** Aborted at the end of the watch, however it ends. */
  over: AbortSignal;
  /** Shows a sentence on standard error. */
  say(text: string): void;
}

/**
 * Reviews pages, and again whenever they change, until a signal arrives. `onFirstReport` is called once reports are
 * written. Nothing remains, however it ends.
 */
export async function runWatch(
  ordered: ReviewPlan,
  watched: Watched,
  io: ReviewIo,
  onFirstReport: () => void,
): Promise<number> {
  const baseline = readBaseline(ordered);
  checkPlaces(ordered);
  const interruption = watchSignals();
  const say = (text: string) => void io.stderr.write(`${text}\n`);
  const over = new AbortController();
  let site: ServedFolder | undefined;
  let pages: ChangeSource | undefined;
  let workplace: Workplace | undefined;
  try {
    if ('folder' in watched) site = await serveFolder(watched.folder);
    const plan = site ? { ...ordered, urls: [site.url] } : ordered;
    pages =
      'folder' in watched
        ? await watchFolder(watched.folder, { origin: plan.urls[0]!, except: plan.output })
        : pollPages({ start: watched.url, say });
    if (ordered.server === undefined) workplace = openWorkplace();
    const service = await begin(plan, io, { interruption, workplace, over: over.signal });
    const means = { ...service, pages, interruption, workplace, over: over.signal };
    const session = { ...means, plan, io, baseline, say };
    const waits = 'folder' in watched ? `changes in ${watched.folder}` : `changes of ${watched.url}`;
    const watching = watchRounds(session, waits, onFirstReport);
    return await Promise.race([watching, rejectOnAbort(interruption.atOnce)]);
  } catch (error) {
    if (error instanceof Interrupted) return exitCodes.interrupted;
    if (!(error instanceof ServiceDied)) throw error;
    say(`The service of the review ended: ${error.message}`);
    return exitCodes.notReviewed;
  } finally {
    over.abort();
    pages?.close();
    await Promise.all([workplace?.clear(), site?.close()]);
  }
}

async function begin(
  plan: ReviewPlan,
  io: ReviewIo,
  { interruption, workplace, over }: Pick<Session, 'interruption' | 'workplace' | 'over'>,
): Promise<Pick<Session, 'api' | 'orDeath'>> {
  if (!workplace) return { api: openReviewApi(plan.server!, over), orDeath: (work) => work };
  const progress = await openProgress(io.stderr, plan.quiet);
  try {
    progress.begin('Starting Redpen');
    const options = { environment: io.environment, allowHosts: allowedHostsOf(plan.urls) };
    const service = await Promise.race([
      startEmbedded(workplace, options),
      rejectOnAbort(interruption.signal),
    ]);
    return { api: openReviewApi(service, over), orDeath: rejectingWith(service.died) };
  } finally {
    await progress.end();
  }
}

/** `Promise.race` would keep the result of each round until the service ends. */
function rejectingWith(died: Promise<never>): OrDeath {
  const waiting = new Set<(error: unknown) => void>();
  let isDead = false;
  died.catch((error: unknown) => {
    isDead = true;
    for (const reject of waiting) reject(error);
  });
  return (work) => {
    if (isDead) return Promise.race([died, work]);
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      work.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  };
}

/** Reviews in rounds until a signal arrives between two of them. */
async function watchRounds(session: Session, waits: string, onFirstReport: () => void): Promise<number> {
  const { pages, plan, say, orDeath, over } = session;
  const { signal } = session.interruption;
  const failed = new Set<string>();
  let report: Report | undefined;
  let isWaiting = false;
  try {
    await orDeath(pages.ready(AbortSignal.any([signal, over])));
  } catch (error) {
    if (signal.aborted) return exitCodes.good;
    throw error;
  }
  // What fails the first time is tried again with the next change.
  let change: Change = { pages: [], isWhole: true, gone: [], what: '' };
  for (;;) {
    try {
      if (!report) {
        report = await reviewOnce(session, plan, FIRST);
        await showFirst(session, report);
        onFirstReport();
      } else {
        const round = await reviewAgain(session, report, change);
        if (round) report = await showNext(session, round);
        else say('No page that is watched has changed.');
      }
    } catch (error) {
      // A request that is refused at first will be refused again.
      if (isRefusal(error) && !report) throw new WrongUse(explainRefusal(error));
      if (signal.aborted || error instanceof ServiceDied) throw error;
      say(`The review could not be done: ${(error as Error).message}`);
    }
    if (signal.aborted) return exitCodes.good;
    if (report) lookAgain(report, pages, failed);
    if (!isWaiting) say(`Waiting for ${waits}. Ctrl-C ends.`);
    isWaiting = true;
    try {
      const known = report ? report.pages.map(({ url }) => url) : plan.urls;
      change = await orDeath(pages.next(known, AbortSignal.any([signal, over])));
    } catch (error) {
      if (signal.aborted) return exitCodes.good;
      throw error;
    }
    say(`\n${timeOf(new Date())}  ${change.what}`);
    for (const url of change.gone) say(`${url} is gone.`);
  }
}

/** Pages that failed, for example while their server was restarted, are reviewed once more without a change. */
function lookAgain({ pages }: Report, source: ChangeSource, failed: Set<string>): void {
  for (const { url, status } of pages) {
    if (status !== 'failed') failed.delete(url);
    else if (!failed.has(url)) {
      failed.add(url);
      source.forget(url);
    }
  }
}

const timeOf = (date: Date): string => date.toTimeString().slice(0, 8);

/** Reviews what a change concerns. Undefined if no page is left to review. */
async function reviewAgain(session: Session, before: Report, change: Change): Promise<Round | undefined> {
  const { plan } = session;
  const gone = new Set(change.gone);
  const known = before.pages.map(({ url }) => url).filter((url) => !gone.has(url));
  const changed = change.pages.filter((url) => known.includes(url) || mayGrow(plan, known));
  const atOnce = Math.max(1, Math.floor(MOST_RUNS / Math.max(1, before.agents.length)));
  const isWhole = change.isWhole || changed.length > atOnce;
  if (!isWhole && changed.length === 0) return undefined;
  const latest = isWhole ? [await reviewOnce(session, plan, 'all pages')] : [];
  const reached = new Set(latest.flatMap(({ pages }) => pages.map(({ url }) => url)));
  // Links need not lead to all pages that are known.
  const others = [...new Set(isWhole ? [...known, ...changed] : changed)].filter((url) => !reached.has(url));
  for (let at = 0; at < others.length; at += atOnce) {
    const urls = others.slice(at, at + atOnce);
    const part = { ...plan, urls, pages: [], sitemap: false, followsLinks: false, maxPages: undefined };
    latest.push(await reviewOnce(session, part, listShort(urls.map(pathOf))));
  }
  return joinRounds(before, joinReports(latest), {
    gone: change.gone,
    acrossPages: isWhole ? undefined : linksOfSite.issueTypes,
  });
}

/** True if pages may be added to those that are known. */
const mayGrow = ({ followsLinks, maxPages, pages }: ReviewPlan, known: readonly string[]): boolean =>
  followsLinks && pages.length === 0 && known.length < (maxPages ?? Number.POSITIVE_INFINITY);

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

/** Carries out one review, and returns its report. */
async function reviewOnce(session: Session, plan: ReviewPlan, what: string): Promise<Report> {
  const { api, orDeath, io, interruption, workplace, over } = session;
  const { signal } = interruption;
  const isFirst = what === FIRST;
  const progress = await openProgress(io.stderr, plan.quiet);
  let started: Promise<string> | undefined;
  try {
    progress.begin(`Reviewing ${isFirst ? listShort(plan.urls) : what}`);
    started = api.start(plan, over);
    const id = await orDeath(Promise.race([started, rejectOnAbort(signal)]));
    const follow = async () => {
      let planned = 0;
      for await (const state of api.follow(id, signal)) {
        const agents = agentsOf(state);
        // Bars of each round would fill the terminal.
        if (isFirst) progress.update(agents);
        const latest = Math.max(0, ...agents.map((agent) => agent.planned));
        if (latest > planned) await tellOfPages(session, id);
        planned = Math.max(planned, latest);
      }
    };
    await orDeath(follow());
    return await orDeath(api.report(id, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    if (started && !workplace) await cancelStarted(api, started, interruption);
    throw new Interrupted('The review was interrupted.');
  } finally {
    await progress.end();
  }
}

/** Lets the watch look at the pages that a review has planned, since one may be edited before the review has ended. */
async function tellOfPages({ api, pages, interruption }: Session, reviewId: string): Promise<void> {
  const { signal } = interruption;
  const report = await api.report(reviewId, signal);
  await pages.found(
    report.pages.map(({ url }) => url),
    signal,
  );
}

/** Prints the report on the first round, as without `--watch`. */
async function showFirst(session: Session, found: Report): Promise<void> {
  const { api, plan, io, baseline, say } = session;
  const report = judgeReport(found, baseline, { plan, io });
  const pictures = await picturesOf(api, report, plan);
  io.stdout.write(printReport(report, pictures, plan, screenOf(io)));
  writeReports(report, pictures, plan, say);
}

/** Prints what a round changes, and returns the report on which the next round builds. */
async function showNext(session: Session, { report, added, fixed }: Round): Promise<Report> {
  const { api, plan, io, baseline, say } = session;
  const judged = judgeReport(report, baseline, { plan, io });
  if (plan.output !== undefined) writeReports(judged, await picturesOf(api, judged, plan), plan, say);
  for (const { url, status, problems } of judged.pages) {
    if (status === 'failed')
      say(`${url} could not be reviewed: ${problems[0]?.message ?? 'no reason is known'}`);
  }
  const isSteady = (issueType: string) =>
    judged.rules[issueType]?.category !== UNSTEADY || Object.hasOwn(plan.rules, issueType);
  const steady = judged.findings.filter(({ number, issueType }) => added.has(number) && isSteady(issueType));
  const shown = {
    report: judged,
    added: new Set(steady.map(({ number }) => number)),
    fixed: fixed.filter(({ issueType }) => isSteady(issueType)),
  };
  io.stdout.write(showRound(shown, screenOf(io).colors));
  return report;
}
