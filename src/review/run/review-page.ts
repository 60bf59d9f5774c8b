import type { Logger } from 'pino';
import { LeaseLost } from '../../lib/errors.ts';
import { storable } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import { inSpan } from '../../lib/tracing/tracing.ts';
import { withoutQuery } from '../../lib/without-queries.ts';
import { ModelFailure, type TokenUsage } from '../../outside/models/models.ts';
import type { Outside } from '../../outside/outside.ts';
import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { ArtifactRow } from '../../store/agents/artifacts.ts';
import { secretValues } from '../agents/agent-secrets.ts';
import type { LogLine, PageContext, PageTask, RunContext, TaskResult } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import { createRedactor } from '../core/redact.ts';
import { meteredBudget } from '../core/run-budget.ts';
import { asRunFault, RunFault } from '../core/run-error.ts';
import type { RunLease } from '../core/run-lease.ts';
import { followsLinks, phaseTimeoutOf, preferredModelsOf, type Run } from '../core/run-state.ts';
import { artifactStore } from '../core/store-artifact.ts';
import { createTextScreener } from '../core/text-screener.ts';
import { withTimeout } from '../core/with-timeout.ts';
import { textToCompare } from '../cross-page/cross-page.ts';
import { nameOf } from '../execute/ask-model.ts';
import { executionStrategies } from '../execute/index.ts';
import { filterFindings } from '../findings/filter-findings.ts';
import type { FindingsWithPrecedents } from '../findings/finding-to-annotation.ts';
import { gatherAll } from '../gather/gather.ts';
import type { HeldPage } from '../gather/held-page.ts';
import { usesBrowser } from '../gather/index.ts';
import type { Seat } from '../gather/load-together.ts';
import { injectionFindings } from '../injection/injection-findings.ts';
import { applyPrecedents } from '../memory/apply-precedents.ts';
import { recallForPage } from '../memory/recall-for-page.ts';
import { type GatheringPlan, planGathering } from '../plan/plan-gathering.ts';
import { linksIn, readLinks } from '../plan/read-links.ts';
import { templateValues } from '../prompt/template-values.ts';
import { loginPageFor } from '../session/login-page.ts';
import { reportFailedPage, reportReviewedPage } from './report-run.ts';
import { agentLabel, pageSeconds } from './run-metrics.ts';
import { writeFault, writeReviewed, writeSkipped } from './write-page.ts';

export interface PageDeps extends Pick<RunLease, 'db' | 'scorer' | 'owner'> {
  /** Log of the process, not of the run. */
  log: Logger;
  outside: Outside;
  /** The place of the run at the load that it shares with other runs. */
  seat?: Seat | undefined;
}

export interface PageOutcome {
  gathered: Gathered[];
  findings: number;
  fault?: RunFault;
}

/** The page context without the parts that a phase adds. */
type OpenContext = Omit<PageContext, 'storeArtifact'>;

/** Share of the phase's time limit; partial results are kept when it expires. */
const PARTIAL_RESULTS_SHARE = 0.9;

/** Time in which a run gathers the data of a page. */
export const gatherTimeoutOf = (run: Run): number => phaseTimeoutOf(run) * PARTIAL_RESULTS_SHARE;

/** Time that a page stays open for the positions of broken links, where it is open for other runs anyway. */
const LINKS_PATIENCE_MS = 3_000;

const USES_SERVICE = new Set(['service', 'service+ai']);

/**
 * Reviews one page of a run and writes its result in one transaction. A failure is the result of its page; only an abort
 * of the run and the loss of its lease are thrown.
 */
export function reviewPage(
  run: Run,
  url: string,
  runContext: RunContext,
  deps: PageDeps,
): Promise<PageOutcome> {
  const attributes = {
    'url.full': withoutQuery(url),
    'redpen.agent': agentLabel(run.row.agentId),
    'redpen.execution.id': run.row.executionId,
  };
  return inSpan('review page', { attributes }, async (span) => {
    const endTimer = pageSeconds.startTimer({ agent: agentLabel(run.row.agentId) });
    const outcome = await reviewInPhases(run, url, runContext, deps).finally(endTimer);
    if (outcome.fault) span.fail(outcome.fault.code);
    else span.set({ 'redpen.findings': outcome.findings });
    return outcome;
  });
}

async function reviewInPhases(
  run: Run,
  url: string,
  runContext: RunContext,
  deps: PageDeps,
): Promise<PageOutcome> {
  const artifacts: ArtifactRow[] = [];
  const redact = runContext.once('redactor', () => createRedactor(secretValues(run.behavior)));
  const screener = createTextScreener(redact, { isSignedIn: run.behavior.auth !== undefined });
  const meter = meteredBudget(runContext.budget);
  const log = (line: LogLine) => runContext.log({ ...line, message: redact(line.message) });
  const context = { ...runContext, budget: meter.budget, screener, log };
  const startedAt = Date.now();
  let held: HeldPage | undefined;
  log({ level: 'info', kind: 'page', message: `Started ${url}.`, data: { url } });
  try {
    const read = await phase(run, url, context, 'gathering', (signal) =>
      gather(run, url, { ...context, signal }, deps),
    );
    const { gathered, pageFault } = read;
    held = read.held;
    const storeArtifact = artifactStore(run, url, deps.outside.blobs, artifacts);
    const executed = await phase(run, url, context, 'execution', (signal) =>
      execute(run, url, gathered, { ...context, signal, storeArtifact }, deps),
    ).catch((error: unknown) => {
      // The browser's failure explains more than the failure of the fallback.
      throw context.signal.aborted || !pageFault ? error : pageFault;
    });
    const injected = injectionFindings(screener.injections, { saysNothing: executed.findings.length === 0 });
    const result = { usage: meter.spent(), ...executed, findings: [...injected, ...executed.findings] };
    if (result.skipped !== undefined && result.findings.length === 0) {
      await writeSkipped(run, url, result, artifacts, deps);
      log({ level: 'warn', kind: 'page', message: `Skipped ${url}: ${result.skipped}`, data: { url } });
      return { gathered, findings: 0 };
    }
    const withPrecedents = await phase(run, url, context, 'post-processing', (signal) =>
      postProcess(run, url, { result, ...read }, { ...context, signal, storeArtifact }, deps),
    );
    const siteFacts = followsLinks(run) ? result.siteFacts : undefined;
    const { clean } = screener;
    const { summary, data, dismissed } = result;
    const page = {
      result: { ...result, ...clean({ summary, data, dismissed }) },
      ...withPrecedents,
      findings: clean(withPrecedents.findings),
      unjudged: result.unjudged,
      artifacts,
      textToCompare: textToCompare(run, gathered),
      siteFacts: clean(siteFacts),
      rendered: linksIn(gathered)?.reading?.rendered,
      loginPage: loginPageFor(url, read.landed, log),
    };
    const written = await writeReviewed(run, url, page, deps).catch((error: unknown) => {
      throw error instanceof LeaseLost ? error : asRunFault(error, 'POST_PROCESS_ERROR');
    });
    for (const note of written.notes) log(note);
    reportReviewedPage(run.row);
    const ms = Date.now() - startedAt;
    log({
      level: 'info',
      kind: 'page',
      message: `Finished ${url} in ${ms} ms: ${plural(written.reported, 'finding')}.`,
      data: { url, ms, findings: written.reported },
    });
    return { gathered, findings: written.reported };
  } catch (error) {
    if (context.signal.aborted || error instanceof LeaseLost) throw error;
    const fault = withoutSecrets(asRunFault(error, 'INTERNAL'), redact);
    logFault(url, fault, Date.now() - startedAt, context);
    const usage = meter.spent() ?? usageOf(error);
    const llmModel = usage && nameOf(deps.outside.models.choose(...preferredModelsOf(run)));
    await writeFault(run, url, { fault, artifacts, usage, llmModel }, deps);
    reportFailedPage(deps.log, run.row, url, fault, redact);
    return { gathered: [], findings: 0, fault };
  } finally {
    await held?.release();
  }
}

function logFault(url: string, fault: RunFault, ms: number, { log, screener }: OpenContext): void {
  log({
    level: 'error',
    kind: 'page',
    message: `${url}: ${fault.message}`,
    data: { url, code: fault.code, ms },
  });
  const [injection] = screener.injections;
  if (injection)
    log({
      level: 'warn',
      message: `The page tries to instruct its reviewer (${injection.where}): ${injection.reading}`,
      data: { url },
    });
}

/** Runs a phase of the review of a page under the phase time limit and logs its duration. */
async function phase<T>(
  run: Run,
  url: string,
  { signal, log }: Pick<PageContext, 'signal' | 'log'>,
  name: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const result = await inSpan(name, {}, () => withTimeout(name, phaseTimeoutOf(run), signal, work));
  const ms = Date.now() - startedAt;
  log({
    level: 'info',
    kind: 'phase',
    message: `The ${name} phase took ${ms} ms.`,
    data: { url, phase: name, ms },
  });
  return result;
}

const withoutSecrets = (fault: RunFault, redact: (text: string) => string): RunFault =>
  new RunFault(fault.code, redact(fault.message), { retryable: fault.retryable, cause: fault });

/** Token usage of a failed model request that was not counted by a budget. */
function usageOf(error: unknown): TokenUsage | undefined {
  const failure = error instanceof RunFault ? error.cause : error;
  return failure instanceof ModelFailure ? failure.usage : undefined;
}

interface ReadPage {
  gathered: Gathered[];
  /** Address of the page that opened, after redirects. */
  landed?: string | undefined;
  pageFault?: RunFault;
  held?: HeldPage | undefined;
}

async function gather(
  run: Run,
  url: string,
  context: OpenContext,
  { outside, seat }: PageDeps,
): Promise<ReadPage> {
  const plan = planGathering(run, outside.models);
  const { unread, linksAlone } = plan;
  if (unread.length > 0) context.once('unread strategies', () => logUnread(unread, context.log));
  const inBrowser = () => gatherPlanned(run, url, plan, context, outside, seat);
  const read: ReadPage =
    linksAlone && !seat ? await readLinks(run, url, context, inBrowser) : await inBrowser();
  const landed = read.landed ?? linksIn(read.gathered)?.finalUrl;
  return { ...read, landed, gathered: context.screener.clean(read.gathered) };
}

async function gatherPlanned(
  run: Run,
  url: string,
  { strategies, keepOpen, linksAlone }: GatheringPlan,
  { browser, log, signal }: OpenContext,
  outside: Outside,
  seat: Seat | undefined,
): Promise<ReadPage> {
  const { strategyOptions = {} } = run.behavior.contextGathering ?? {};
  const { gathered, landed, pageFailure, held } = await gatherAll({
    url,
    deviceType: run.request.deviceType,
    strategies,
    strategyOptions,
    // Links may take long to check: the page is held for those that answer soon.
    keepOpen: linksAlone && seat ? 'if-complete' : keepOpen,
    seat,
    fetch: outside.fetch,
    browser,
    lighthouse: outside.lighthouse,
    values: templateValues(run),
    cacheScope: run.scope.apiKeyId,
    signal,
    log,
    timeoutMs: gatherTimeoutOf(run),
  });
  if (linksAlone && held) setTimeout(() => void held.release(), LINKS_PATIENCE_MS).unref();
  if (!pageFailure) return { gathered, landed, held };
  const pageFault = asRunFault(pageFailure, 'CONTEXT_GATHERING_ERROR');
  if (pageFault.code === 'SIGNED_OUT') throw pageFault;
  if (!USES_SERVICE.has(run.behavior.execution?.executionStrategy ?? '')) throw pageFault;
  // A service fetches the page itself, and may succeed on redirects and content that a browser cannot load.
  log({ level: 'warn', message: `${url}: ${pageFault.message}`, data: { url, code: pageFault.code } });
  return { gathered, pageFault };
}

const logUnread = (unread: readonly string[], log: OpenContext['log']): void =>
  log({
    level: 'info',
    message: `The service does not read ${unread.join(' and ')}, so it is not gathered.`,
  });

async function execute(
  run: Run,
  url: string,
  gathered: Gathered[],
  context: PageContext,
  { db, outside, scorer }: PageDeps,
): Promise<TaskResult> {
  const { execution = {}, instructions = '' } = run.behavior;
  const name = execution.executionStrategy ?? 'ai';
  const strategy = executionStrategies.find((known) => known.name === name);
  if (!strategy)
    throw new RunFault('INTERNAL', `No execution strategy is named ${name}.`, { retryable: false });
  const { deviceType } = run.request;
  const recall = { ...context, db, embeddings: outside.embeddings, scorer };
  const memory = await recallForPage(run, { url, gathered }, recall);
  const task: PageTask = {
    url,
    deviceType,
    instructions,
    execution,
    wishes: preferredModelsOf(run),
    maxToolTurns: run.request.aiConfig?.maxToolTurns,
    values: templateValues(run, gathered, memory),
    gathered,
    memory,
  };
  try {
    const timeoutMs = phaseTimeoutOf(run) * PARTIAL_RESULTS_SHARE;
    return await strategy.execute(task, { ...context, timeoutMs });
  } catch (error) {
    context.signal.throwIfAborted();
    // Without a model, only the service's own access to the page can fail.
    throw asRunFault(error, name === 'service' ? 'CONTEXT_GATHERING_ERROR' : 'LLM_ERROR');
  }
}

/** True if the run or its agent asks for positions or screenshots, for which a page is loaded that needed no browser. */
const asksForLook = ({ request, behavior }: Run): boolean =>
  behavior.postProcess?.pinResolution?.enabled === true ||
  (request.screenshots ?? behavior.postProcess?.screenshots ?? 'none') !== 'none';

/** Applies filters and precedents to the findings of a strategy, and looks at the page for their positions. */
async function postProcess(
  run: Run,
  url: string,
  { result, gathered, pageFault, held }: ReadPage & { result: TaskResult },
  context: PageContext,
  { db, outside, scorer }: PageDeps,
): Promise<FindingsWithPrecedents & { screenshot?: PageScreenshot | undefined }> {
  const { browser, embeddings } = outside;
  const { linksAlone } = planGathering(run, outside.models);
  const isOpened = linksAlone ? asksForLook(run) : usesBrowser(run.behavior.contextGathering?.strategies);
  const canOpen = !pageFault && (isOpened || held?.isOpen() === true);
  const page = canOpen ? { url, deviceType: run.request.deviceType, browser, held } : undefined;
  const { findings: found, screenshot } = await filterFindings(run, url, result, gathered, context, page);
  const { findings, precedents } = await applyPrecedents(run, url, found, {
    ...context,
    db,
    embeddings,
    scorer,
  });
  return { findings: storable(findings), precedents, screenshot };
}
