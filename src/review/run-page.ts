import type { Db, Tx } from '../db/tables.ts';
import { storable } from '../lib/cut-text.ts';
import { fillTemplate } from '../lib/template.ts';
import type { Outside } from '../outside/outside.ts';
import type { Finding } from '../shapes/execution.ts';
import {
  type AgentAnnotation,
  type DocumentRef,
  deletePendingSuggestions,
  insertAgentAnnotations,
} from '../store/agent-annotations.ts';
import { type ArtifactRow, insertArtifacts } from '../store/artifacts.ts';
import { holdLease, LeaseLost } from '../store/execution-leases.ts';
import { writePage } from '../store/execution-pages.ts';
import { executionStrategies } from './execute/index.ts';
import type { TaskContext, TaskResult } from './execute/strategy.ts';
import { gatherAll } from './gather/gather.ts';
import type { Gathered } from './gather/strategy.ts';
import { withinTime } from './phase.ts';
import { annotationsOf, pageOf } from './postprocess/annotations.ts';
import { completeFindings, guardrails } from './postprocess/guardrails.ts';
import { needsPin, pinView, resolvePins } from './postprocess/pin-resolution.ts';
import { keeper } from './run-artifacts.ts';
import { asRunFault, RunFault } from './run-fault.ts';
import { isOn, phaseTimeoutOf, type Run, usesBrowser } from './run-shape.ts';

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
      filter(run, url, result, { ...context, signal }, { ...deps, canOpen: !pageFault }),
    );
    const findings = storable(found);
    const written = await write(run, url, { result, findings, artifacts }, deps).catch((error: unknown) => {
      throw error instanceof LeaseLost ? error : asRunFault(error, 'POST_PROCESS_ERROR');
    });
    if (written.documentGone)
      context.log({ level: 'warn', message: 'The document is gone; its findings stay with the execution.' });
    return { gathered, findings: findings.length };
  } catch (error) {
    if (context.signal.aborted || error instanceof LeaseLost) throw error;
    const fault = asRunFault(error, 'INTERNAL');
    context.log({ level: 'error', message: `${url}: ${fault.message}`, data: { url, code: fault.code } });
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

/** All that changes the list of findings and nothing else. */
async function filter(
  run: Run,
  url: string,
  result: TaskResult,
  context: Context,
  deps: PageDeps & { canOpen: boolean },
): Promise<Finding[]> {
  const stages = run.behavior.postProcess ?? {};
  const byModel = run.behavior.execution?.executionStrategy !== 'service';
  let findings = completeFindings(result.findings, url, byModel);
  if (isOn(stages.guardrails)) findings = guardrails(findings);
  const mayPin = deps.canOpen && isOn(stages.pinResolution) && usesBrowser(run.behavior);
  if (mayPin && findings.some(needsPin)) {
    findings = await pinned(run, url, findings, context, deps);
  }
  for (const name of stages.customProcessors ?? []) {
    context.once(`custom processor ${name}`, () =>
      context.log({
        level: 'warn',
        message: `There is no custom processor named ${name}; it is passed over.`,
      }),
    );
  }
  return findings;
}

/** Positions are worth having and not worth failing for. */
async function pinned(
  run: Run,
  url: string,
  findings: Finding[],
  { signal, log }: Context,
  { outside }: PageDeps,
): Promise<Finding[]> {
  try {
    return await outside.browser.withPage(url, pinView(run.request.deviceType), { signal }, ({ page }) =>
      resolvePins(findings, page),
    );
  } catch (error) {
    signal.throwIfAborted();
    log({
      level: 'warn',
      message: `The places of findings on ${url} are not known: ${(error as Error).message}`,
    });
    return findings;
  }
}

interface Work {
  result: TaskResult;
  findings: Finding[];
  artifacts: ArtifactRow[];
}

/** All that is written about a page, at once or not at all: a repeated try finds the page done, or untouched. */
function write(
  run: Run,
  url: string,
  { result, findings, artifacts }: Work,
  { db, owner }: PageDeps,
): Promise<{ documentGone: boolean }> {
  const { scope, row } = run;
  const stages = run.behavior.postProcess ?? {};
  const strategy = isOn(stages.annotations) ? (stages.annotations?.strategy ?? 'findings') : 'none';
  const ref = { apiKeyId: scope.apiKeyId, executionId: row.executionId };
  const onDocument = row.documentId !== '';

  return db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const made = annotationsOf(findings, url, onDocument ? strategy : 'none', {
      agentId: row.agentId,
      agentName: row.agentName,
      agentType: run.agentType,
      executionId: row.executionId,
      apiKeyId: scope.apiKeyId,
      ...document,
      deviceType: run.request.deviceType,
      visibility: run.request.annotationVisibility,
    });
    const created = onDocument ? await annotate(tx, run, document, url, made.annotations) : 0;
    const documentGone = created < made.annotations.length;
    const { summary, data, usage, llmModel } = result;
    await insertArtifacts(tx, artifacts);
    await writePage(tx, ref, {
      url,
      status: 'completed',
      findings: documentGone ? findings : made.findings,
      annotationsCreated: created,
      detail: storable({
        ...(summary !== undefined && { summary }),
        ...(data !== undefined && { data }),
        ...(usage && { usage }),
        ...(llmModel && { llmModel }),
      }),
    });
    return { documentGone };
  });
}

async function annotate(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  annotations: AgentAnnotation[],
): Promise<number> {
  if (isOn(run.behavior.postProcess?.deletePreviousSuggestions)) {
    await deletePendingSuggestions(tx, run.scope, document, {
      agentId: run.row.agentId,
      agentUrl: pageOf(url),
    });
  }
  return await insertAgentAnnotations(tx, run.scope, document, annotations);
}

const writeFault = (run: Run, url: string, fault: RunFault, { db, owner }: PageDeps): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId };
    await holdLease(tx, ref, owner);
    await writePage(tx, ref, {
      url,
      status: 'failed',
      findings: [],
      annotationsCreated: 0,
      detail: { error: { code: fault.code, message: fault.message, retryable: fault.retryable } },
    });
  });
