import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import { ModelFailure, type TokenUsage } from '../../outside/models/models.ts';
import type { Outside } from '../../outside/outside.ts';
import type { ArtifactRow } from '../../store/agents/artifacts.ts';
import { LeaseLost } from '../../store/agents/execution-leases.ts';
import { secretValues } from '../agents/agent-secrets.ts';
import type { LogLine, TaskContext, TaskResult } from '../core/execute-task.ts';
import type { Gathered } from '../core/gathered.ts';
import { createRedactor } from '../core/redact.ts';
import { meterOf } from '../core/run-budget.ts';
import { asRunFault, RunFault } from '../core/run-error.ts';
import { phaseTimeoutOf, type Run, wishesOf } from '../core/run-state.ts';
import { valuesOf } from '../core/run-values.ts';
import { plural } from '../core/summary.ts';
import { openReading } from '../core/untrusted-text.ts';
import { withinTime } from '../core/with-timeout.ts';
import { textToCompare } from '../cross-page/text-to-compare.ts';
import { nameOf } from '../execute/ask-model.ts';
import { executionStrategies } from '../execute/index.ts';
import { filterFindings } from '../findings/filter-findings.ts';
import { withQuoteContext } from '../findings/quote-context.ts';
import { gatherAll } from '../gather/gather.ts';
import { injectionFindings } from '../injection/injection-findings.ts';
import { recallForPage } from '../memory/recall-for-page.ts';
import { weighFindings } from '../memory/weigh-findings.ts';
import { noteFailedPage, noteReviewed } from './note-run.ts';
import { keeper } from './run-artifacts.ts';
import { writeFault, writeReviewed, writeSkipped } from './write-page.ts';

export interface PageDeps {
  db: Db;
  /** The log of the process. */
  log: Logger;
  outside: Outside;
  scorer: Scorer;
  /** Names this process as the one that works on the run. */
  owner: string;
}

export interface PageOutcome {
  gathered: Gathered[];
  findings: number;
  fault?: RunFault;
}

type Context = Omit<TaskContext, 'keepArtifact'>;
/** What is the same for all pages of a run. */
export type RunContext = Omit<TaskContext, 'keepArtifact' | 'reading'>;

/** Of a phase's time; what is there by then is kept. */
const KEPT_SHARE = 0.9;

const USES_SERVICE = new Set(['service', 'service+ai']);

/**
 * Reviews one page of a run and writes what came of it in one transaction. A page that fails has that as
 * its result; only a stop of the run, or the loss of its lease, is thrown.
 */
export async function reviewPage(
  run: Run,
  url: string,
  runContext: RunContext,
  deps: PageDeps,
): Promise<PageOutcome> {
  const artifacts: ArtifactRow[] = [];
  const redact = runContext.once('redactor', () => createRedactor(secretValues(run.behavior)));
  const reading = openReading(redact);
  const meter = meterOf(runContext.budget);
  const log = (line: LogLine) => runContext.log({ ...line, message: redact(line.message) });
  const context = { ...runContext, budget: meter.budget, reading, log };
  const startedAt = Date.now();
  log({ level: 'info', kind: 'page', message: `Begins with ${url}.`, data: { url } });
  try {
    const { gathered, pageFault } = await phase(run, url, context, 'gathering', (signal) =>
      gather(run, url, { ...context, signal }, deps),
    );
    const answered = await phase(run, url, context, 'execution', (signal) =>
      execute(
        run,
        url,
        gathered,
        {
          ...context,
          signal,
          timeoutMs: phaseTimeoutOf(run) * KEPT_SHARE,
          keepArtifact: keeper(run, url, deps.outside.blobs, artifacts),
        },
        deps,
      ),
    ).catch((error: unknown) => {
      // Why the browser failed says more than what was tried in its place.
      throw context.signal.aborted || !pageFault ? error : pageFault;
    });
    const injected = injectionFindings(reading.injections, { saysNothing: answered.findings.length === 0 });
    const result = { usage: meter.spent(), ...answered, findings: [...injected, ...answered.findings] };
    if (result.skipped !== undefined && result.findings.length === 0) {
      await writeSkipped(run, url, result, artifacts, deps);
      log({ level: 'warn', kind: 'page', message: `Skipped ${url}: ${result.skipped}`, data: { url } });
      return { gathered, findings: 0 };
    }
    const weighed = await phase(run, url, context, 'post-processing', async (signal) => {
      const within = { ...context, signal };
      const found = await filterFindings(run, url, result, within, { ...deps, canOpen: !pageFault });
      const recall = { ...within, db: deps.db, embeddings: deps.outside.embeddings, scorer: deps.scorer };
      return await weighFindings(run, url, withQuoteContext(found, gathered), recall);
    });
    const work = {
      result,
      findings: storable(weighed.findings),
      held: weighed.held,
      artifacts,
      textToCompare: textToCompare(run, gathered),
    };
    const written = await writeReviewed(run, url, work, deps).catch((error: unknown) => {
      throw error instanceof LeaseLost ? error : asRunFault(error, 'POST_PROCESS_ERROR');
    });
    for (const note of written.notes) log(note);
    noteReviewed(run.row);
    const ms = Date.now() - startedAt;
    log({
      level: 'info',
      kind: 'page',
      message: `Done with ${url} in ${ms} ms: ${plural(written.reported, 'finding')}.`,
      data: { url, ms, findings: written.reported },
    });
    return { gathered, findings: written.reported };
  } catch (error) {
    if (context.signal.aborted || error instanceof LeaseLost) throw error;
    const fault = withoutSecrets(asRunFault(error, 'INTERNAL'), redact);
    const ms = Date.now() - startedAt;
    log({
      level: 'error',
      kind: 'page',
      message: `${url}: ${fault.message}`,
      data: { url, code: fault.code, ms },
    });
    for (const { reading: words, where } of reading.injections.slice(0, 1))
      log({
        level: 'warn',
        message: `The page tries to instruct its reviewer (${where}): ${words}`,
        data: { url },
      });
    const usage = meter.spent() ?? usageOf(error);
    const llmModel = usage && nameOf(deps.outside.models.choose(...wishesOf(run)));
    await writeFault(run, url, { fault, artifacts, usage, llmModel }, deps);
    noteFailedPage(deps.log, run.row, url, fault, redact);
    return { gathered: [], findings: 0, fault };
  }
}

/** One phase of a page within its time, with a line in the log on how long it took. */
async function phase<T>(
  run: Run,
  url: string,
  { signal, log }: Pick<TaskContext, 'signal' | 'log'>,
  name: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  const done = await withinTime(name, phaseTimeoutOf(run), signal, work);
  const ms = Date.now() - startedAt;
  log({
    level: 'info',
    kind: 'phase',
    message: `The ${name} phase took ${ms} ms.`,
    data: { url, phase: name, ms },
  });
  return done;
}

const withoutSecrets = (fault: RunFault, redact: (text: string) => string): RunFault =>
  new RunFault(fault.code, redact(fault.message), { retryable: fault.retryable, cause: fault });

/** What a failed question cost, where nobody else has counted it. */
function usageOf(error: unknown): TokenUsage | undefined {
  const failure = error instanceof RunFault ? error.cause : error;
  return failure instanceof ModelFailure ? failure.usage : undefined;
}

async function gather(
  run: Run,
  url: string,
  { log, signal }: Context,
  { outside }: PageDeps,
): Promise<{ gathered: Gathered[]; pageFault?: RunFault }> {
  const { strategies = ['none'], strategyOptions = {} } = run.behavior.contextGathering ?? {};
  const { gathered, pageFailure } = await gatherAll({
    url,
    deviceType: run.request.deviceType,
    strategies,
    strategyOptions,
    fetch: outside.fetch,
    browser: outside.browser,
    lighthouse: outside.lighthouse,
    values: valuesOf(run),
    cacheScope: run.scope.apiKeyId,
    signal,
    log,
    timeoutMs: phaseTimeoutOf(run) * KEPT_SHARE,
  });
  if (!pageFailure) return { gathered };
  const pageFault = asRunFault(pageFailure, 'CONTEXT_GATHERING_ERROR');
  if (!USES_SERVICE.has(run.behavior.execution?.executionStrategy ?? '')) throw pageFault;
  // A service looks at the page itself, and may get to see what a browser was sent on from or choked on.
  log({ level: 'warn', message: `${url}: ${pageFault.message}`, data: { url, code: pageFault.code } });
  return { gathered, pageFault };
}

async function execute(
  run: Run,
  url: string,
  gathered: Gathered[],
  context: TaskContext,
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
  const task = {
    url,
    deviceType,
    instructions,
    execution,
    wishes: wishesOf(run),
    maxToolTurns: run.request.aiConfig?.maxToolTurns,
    values: valuesOf(run, gathered, memory),
    gathered,
    memory,
  };
  try {
    return await strategy.execute(task, context);
  } catch (error) {
    context.signal.throwIfAborted();
    // A service looks at the page itself; whatever else can fail here is a model.
    throw asRunFault(error, name === 'service' ? 'CONTEXT_GATHERING_ERROR' : 'LLM_ERROR');
  }
}
