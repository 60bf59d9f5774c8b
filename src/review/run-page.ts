import type { Db } from '../db/tables.ts';
import { storable } from '../lib/cut-text.ts';
import { fillTemplate } from '../lib/template.ts';
import type { Outside } from '../outside/outside.ts';
import type { ArtifactRow } from '../store/artifacts.ts';
import { LeaseLost } from '../store/execution-leases.ts';
import { executionStrategies } from './execute/index.ts';
import type { TaskContext, TaskResult } from './execute/strategy.ts';
import { filterFindings } from './filter-findings.ts';
import { gatherAll } from './gather/gather.ts';
import type { Gathered } from './gather/strategy.ts';
import { withinTime } from './phase.ts';
import { keeper } from './run-artifacts.ts';
import { asRunFault, RunFault } from './run-fault.ts';
import { phaseTimeoutOf, type Run } from './run-shape.ts';
import { writeFault, writeReviewed } from './write-page.ts';

export interface PageDeps {
  db: Db;
  outside: Outside;
  /** Names this process as the one that works on the run. */
  owner: string;
}

export interface PageOutcome {
  gathered: Gathered[];
  findings: number;
  fault?: RunFault;
}

type Context = Omit<TaskContext, 'keepArtifact'>;

/** Of a phase's time; what is there by then is kept. */
const KEPT_SHARE = 0.9;

/**
 * Reviews one page of a run and writes what came of it in one transaction. A page that fails has that as
 * its result; only a stop of the run, or the loss of its lease, is thrown.
 */
export async function reviewPage(
  run: Run,
  url: string,
  context: Context,
  deps: PageDeps,
): Promise<PageOutcome> {
  const artifacts: ArtifactRow[] = [];
  try {
    const { gathered, pageFault } = await withinTime(
      'gathering',
      phaseTimeoutOf(run),
      context.signal,
      (signal) => gather(run, url, { ...context, signal }, deps),
    );
    const result = await withinTime('execution', phaseTimeoutOf(run), context.signal, (signal) =>
      execute(run, url, gathered, {
        ...context,
        signal,
        timeoutMs: phaseTimeoutOf(run) * KEPT_SHARE,
        keepArtifact: keeper(run, url, deps.outside.blobs, artifacts),
      }),
    ).catch((error: unknown) => {
      // Why the browser failed says more than what was tried in its place.
      throw context.signal.aborted || !pageFault ? error : pageFault;
    });
    const found = await withinTime('post-processing', phaseTimeoutOf(run), context.signal, (signal) =>
      filterFindings(run, url, result, { ...context, signal }, { ...deps, canOpen: !pageFault }),
    );
    const findings = storable(found);
    const written = await writeReviewed(run, url, { result, findings, artifacts }, deps).catch(
      (error: unknown) => {
        throw error instanceof LeaseLost ? error : asRunFault(error, 'POST_PROCESS_ERROR');
      },
    );
    if (written.documentGone)
      context.log({ level: 'warn', message: 'The document is gone; its findings stay with the execution.' });
    return { gathered, findings: findings.length };
  } catch (error) {
    if (context.signal.aborted || error instanceof LeaseLost) throw error;
    const fault = asRunFault(error, 'INTERNAL');
    context.log({
      level: 'error',
      kind: 'page',
      message: `${url}: ${fault.message}`,
      data: { url, code: fault.code },
    });
    await writeFault(run, url, fault, deps);
    return { gathered: [], findings: 0, fault };
  }
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
    signal,
    log,
    timeoutMs: phaseTimeoutOf(run) * KEPT_SHARE,
  });
  if (!pageFailure) return { gathered };
  const pageFault = asRunFault(pageFailure, 'CONTEXT_GATHERING_ERROR');
  if (run.behavior.execution?.executionStrategy !== 'service') throw pageFault;
  // A service looks at the page itself, and may get to see what a browser was sent on from or choked on.
  log({ level: 'warn', message: `${url}: ${pageFault.message}`, data: { url, code: pageFault.code } });
  return { gathered, pageFault };
}

/** What templates of the agent are filled from. */
const valuesOf = ({ request }: Run): Record<string, unknown> => ({
  ...request.variables,
  variables: request.variables,
  userContext: request.userContext,
});

async function execute(
  run: Run,
  url: string,
  gathered: Gathered[],
  context: TaskContext,
): Promise<TaskResult> {
  const { execution = {}, instructions = '' } = run.behavior;
  const name = execution.executionStrategy ?? 'ai';
  const strategy = executionStrategies.find((known) => known.name === name);
  if (!strategy)
    throw new RunFault('INTERNAL', `No execution strategy is named ${name}.`, { retryable: false });
  const { deviceType } = run.request;
  const task = {
    url,
    deviceType,
    instructions: fillTemplate(instructions, valuesOf(run)).text,
    execution,
    wishes: [run.request.aiConfig, execution.aiConfig, run.behavior.contextGathering?.aiConfig],
    maxToolTurns: run.request.aiConfig?.maxToolTurns,
    values: valuesOf(run),
    gathered,
  };
  try {
    return await strategy.execute(task, context);
  } catch (error) {
    context.signal.throwIfAborted();
    // A service looks at the page itself; whatever else can fail here is a model.
    throw asRunFault(error, name === 'service' ? 'CONTEXT_GATHERING_ERROR' : 'LLM_ERROR');
  }
}
