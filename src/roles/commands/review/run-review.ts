import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { isRedpenError } from '../../../../packages/client/src/errors.ts';
import { plural } from '../../../lib/text/plural.ts';
import { version } from '../../../lib/version.ts';
import { judge } from '../../../report/gate.ts';
import { type Pictures, REPORT_SCHEMA, type Report } from '../../../report/report.ts';
import { applyBaseline, type Baseline, parseBaseline, printBaseline, renewBaseline } from './baseline.ts';
import { allowedHostsOf, ServiceDied, startEmbedded } from './embedded-service.ts';
import { Interrupted, type Interruption, rejectOnAbort, watchSignals } from './interruption.ts';
import { mapSources } from './map-sources.ts';
import { readText } from './read-config.ts';
import { cancelStarted, lastWait, openReviewApi, type ReviewApi, wantsPictures } from './review-api.ts';
import { type ReviewPlan, WrongUse } from './review-settings.ts';
import { agentsOf, type ProgressView } from './review-states.ts';
import { openProgress } from './show-progress.ts';
import { openWorkplace, type Workplace } from './workplace.ts';
import { checkPlaces, printReport, tryToWrite, writeReports } from './write-reports.ts';

/** The parts of the process that the command uses. */
export interface ReviewIo {
  environment: NodeJS.ProcessEnv;
  /** The working directory. */
  folder: string;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

export const exitCodes = { good: 0, findings: 1, wrongUse: 2, notReviewed: 3, interrupted: 130 } as const;

/** The result of a review. */
interface Outcome {
  report: Report;
  pictures: Pictures;
  /** A sentence, if the review itself could not be done. */
  failure?: string;
  isInterrupted?: boolean;
}

/** Reviews as planned, writes the reports, and returns the exit code. Nothing of it remains, however it ends. */
export async function runReview(plan: ReviewPlan, io: ReviewIo): Promise<number> {
  const baseline = readBaseline(plan);
  checkPlaces(plan);
  const interruption = watchSignals();
  const progress = await openProgress(io.stderr, plan.quiet);
  const workplace = plan.server === undefined ? openWorkplace() : undefined;
  const over = new AbortController();
  try {
    const outcome = await Promise.race([
      conduct(plan, io, { interruption, progress, workplace, over: over.signal }),
      rejectOnAbort(interruption.atOnce),
    ]);
    // Rendering and the end of the service need not wait for each other.
    const cleared = workplace?.clear();
    // A folder that cannot be removed is an error once the reports are written.
    cleared?.catch(() => {});
    await progress.end();
    const exitCode = finish(outcome, plan, baseline, io);
    await cleared;
    return exitCode;
  } catch (error) {
    await progress.end();
    if (error instanceof Interrupted) return exitCodes.interrupted;
    throw error;
  } finally {
    over.abort();
    await workplace?.clear();
  }
}

interface Means {
  interruption: Interruption;
  progress: ProgressView;
  workplace: Workplace | undefined;
  /** Aborted when the result no longer matters. */
  over: AbortSignal;
}

/** Carries out a review. Throws Interrupted if it was interrupted before it began, and WrongUse if it was refused. */
async function conduct(plan: ReviewPlan, io: ReviewIo, means: Means): Promise<Outcome> {
  const { interruption, progress, workplace } = means;
  const { signal } = interruption;
  const interrupted = rejectOnAbort(signal);
  let api: ReviewApi | undefined;
  let started: Promise<string> | undefined;
  let died: Promise<never> = new Promise(() => {});
  try {
    progress.begin(workplace ? 'Starting Redpen' : `Asking ${plan.server?.url}`);
    const service = workplace
      ? await Promise.race([
          startEmbedded(workplace, {
            environment: io.environment,
            allowHosts: allowedHostsOf(plan.urls),
          }),
          interrupted,
        ])
      : undefined;
    if (service) died = service.died;
    api = openReviewApi(service ?? plan.server!, means.over);
    started = api.start(plan, means.over);
    const reviewId = await Promise.race([started, died, interrupted]);
    await Promise.race([showStates(api, reviewId, means), died]);
    const report = await Promise.race([api.report(reviewId, signal), died]);
    return { report, pictures: await Promise.race([picturesOf(api, report, plan), died, interrupted]) };
  } catch (error) {
    if (signal.aborted) {
      if (started) await sayEnding(plan, io, progress);
      const known =
        api &&
        started &&
        (await Promise.race([
          whatIsKnown(api, started, { plan, interruption }),
          died.catch(() => undefined),
        ]));
      if (!known) throw new Interrupted('The review was interrupted.');
      return known;
    }
    if (isRefusal(error)) throw new WrongUse(explainRefusal(error));
    const failure = explainFailure(error, plan);
    return { report: emptyReport(plan, failure), pictures: new Map(), failure };
  }
}

/** A server may take seconds to answer, in which the command must not seem to ignore Ctrl-C. */
async function sayEnding({ quiet }: ReviewPlan, { stderr }: ReviewIo, progress: ProgressView): Promise<void> {
  await progress.end();
  if (!quiet) stderr.write('Ending the review. A second Ctrl-C does not wait for its report.\n');
}

/** Cancels a review, and returns what is known of it; undefined if the service does not say. */
async function whatIsKnown(
  api: ReviewApi,
  started: Promise<string>,
  { plan, interruption }: { plan: ReviewPlan; interruption: Interruption },
): Promise<Outcome | undefined> {
  const reviewId = await cancelStarted(api, started, interruption);
  if (reviewId === undefined) return undefined;
  const report = await api.report(reviewId, lastWait(interruption)).catch(() => undefined);
  if (!report) return undefined;
  const pictures = await Promise.race([
    picturesOf(api, report, plan),
    rejectOnAbort(lastWait(interruption)),
  ]).catch((): Pictures => new Map());
  return { report, pictures, isInterrupted: true };
}

export const picturesOf = async (api: ReviewApi, report: Report, plan: ReviewPlan): Promise<Pictures> =>
  wantsPictures(plan) ? await api.pictures(report) : new Map();

async function showStates(
  api: ReviewApi,
  reviewId: string,
  { interruption, progress }: Means,
): Promise<void> {
  for await (const state of api.follow(reviewId, interruption.signal)) progress.update(agentsOf(state));
}

/** Applies baseline and gate, writes everything, and decides on the exit code last. */
function finish(outcome: Outcome, plan: ReviewPlan, baseline: Baseline | undefined, io: ReviewIo): number {
  const { failure, isInterrupted = false, pictures } = outcome;
  const isIncomplete = failure !== undefined || couldNotReview(outcome.report);
  const updates = plan.updateBaseline && !isIncomplete && !isInterrupted;
  const known = updates ? renewBaseline(outcome.report, baseline) : baseline;
  const report = judgeReport(outcome.report, known, { plan, io, isInterrupted, isIncomplete });
  const say = (text: string) => void io.stderr.write(`${text}\n`);
  // A disk that is full must not take the report with it.
  const { files, isWhole } = writeReports(report, pictures, plan, say);
  io.stdout.write(printReport(report, pictures, plan, screenOf(io)));
  if (plan.printed !== 'text') for (const reason of report.gate?.reasons ?? []) say(reason);
  if (files.length > 0 && !plan.quiet) say(`Written: ${files.map(shownPath).join(', ')}`);
  const isRenewed = updates && tryToWrite('baseline', plan.baseline!, () => printBaseline(known!), say);
  if (isRenewed) say(`The baseline ${plan.baseline} has ${plural(countKnown(known!), 'finding')}.`);
  else if (plan.updateBaseline && !updates)
    say(`The baseline ${plan.baseline} was not changed, because the review is incomplete.`);
  if (failure !== undefined) say(failure);
  if (isInterrupted) return exitCodes.interrupted;
  if (isIncomplete || !isWhole || (updates && !isRenewed)) return exitCodes.notReviewed;
  return updates || report.gate?.passed ? exitCodes.good : exitCodes.findings;
}

/** Applies baseline, sources and gate to a report. */
export function judgeReport(
  report: Report,
  known: Baseline | undefined,
  {
    plan,
    io,
    isInterrupted = false,
    isIncomplete = couldNotReview(report),
  }: { plan: ReviewPlan; io: ReviewIo; isInterrupted?: boolean; isIncomplete?: boolean },
): Report {
  const compared = known ? applyBaseline(report, known) : report;
  const noted = { ...compared, notes: [...compared.notes, ...notesOn(compared, plan, isInterrupted)] };
  return judge(mapSources(noted, plan.map, io.folder), {
    failOn: plan.failOn,
    onlyNew: plan.failOnNew,
    maxFindings: plan.maxFindings,
    chosen: Object.keys(plan.rules),
    incomplete: isInterrupted
      ? 'The review was interrupted.'
      : isIncomplete
        ? 'Not everything could be reviewed.'
        : undefined,
  });
}

export const screenOf = ({ stdout, environment }: ReviewIo) => ({
  // Some pseudo-terminals have no width.
  columns: stdout.columns || undefined,
  colors: stdout.isTTY && !environment.NO_COLOR,
});

/** True if an agent ended without result, or a page was not reviewed although it should have been. */
const couldNotReview = ({ agents, pages }: Report): boolean =>
  agents.some(({ error, verdict }) => error !== undefined || verdict === 'broken') ||
  pages.some(({ status }) => status === 'failed') ||
  pages.every(({ status }) => status !== 'reviewed');

function notesOn({ findings }: Report, plan: ReviewPlan, isInterrupted: boolean): string[] {
  const isUncompared = findings.length > 0 && findings.every(({ state }) => state === undefined);
  return [
    ...(isInterrupted ? ['The review was interrupted: the report has what was known by then.'] : []),
    ...(plan.failOnNew && isUncompared
      ? ['There is neither a baseline nor a previous run, so that all findings count as new.']
      : []),
  ];
}

const countKnown = ({ pages }: Baseline): number => Object.values(pages).flat().length;

export function readBaseline({ baseline, updateBaseline }: ReviewPlan): Baseline | undefined {
  if (baseline === undefined || (updateBaseline && !existsSync(baseline))) return undefined;
  let text: string;
  try {
    text = readText(baseline);
  } catch (error) {
    throw new WrongUse(`The baseline ${baseline} cannot be read: ${(error as Error).message}`);
  }
  const parsed = parseBaseline(text);
  if (typeof parsed !== 'string') return parsed;
  throw new WrongUse(
    `The baseline ${baseline} cannot be used. ${parsed} Restore it, or remove it and make it anew with --update-baseline.`,
  );
}

const REFUSALS = ['INVALID_ARGUMENT', 'NOT_FOUND', 'UNAUTHENTICATED', 'PERMISSION_DENIED'];

export const isRefusal = (error: unknown): error is Error & { issues?: { message: string }[] } =>
  isRedpenError(error) && REFUSALS.includes(error.status);

export function explainRefusal({
  message,
  issues = [],
}: {
  message: string;
  issues?: { message: string }[];
}): string {
  const problems = issues.map((issue) => issue.message).filter((text) => text !== message);
  return [`The service refuses the review: ${message}`, ...problems.map((text) => `  ${text}`)].join('\n');
}

function explainFailure(error: unknown, { server }: ReviewPlan): string {
  const { message } = error as Error;
  if (error instanceof ServiceDied) return `The service of the review ended: ${message}`;
  return server === undefined
    ? `The review could not be done: ${message}`
    : `The service at ${server.url} could not do the review: ${message}`;
}

/** The report on a review that did not begin or whose service has gone. */
function emptyReport({ urls, device = 'desktop' }: ReviewPlan, failure: string): Report {
  const now = Date.now();
  return {
    schema: REPORT_SCHEMA,
    redpen: version,
    id: '',
    startedAt: now,
    completedAt: now,
    verdict: 'broken',
    urls,
    deviceType: device,
    agents: [],
    pages: [],
    findings: [],
    fixed: [],
    rules: {},
    notes: [failure.split('\n')[0] ?? ''],
  };
}

/** A path as people type it, if it lies in the working directory. */
function shownPath(path: string): string {
  const own = relative(process.cwd(), path);
  return own.startsWith('..') || isAbsolute(own) ? path : own;
}
