import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { storable } from '../../lib/text/cut-text.ts';
import { inSpan } from '../../lib/tracing/tracing.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import { browserOfRun } from '../../outside/browser/browser.ts';
import type { Outside } from '../../outside/outside.ts';
import { claimExecution, holdLease, returnRun } from '../../store/agents/execution-leases.ts';
import { listPlan, planPages, tokensSpent } from '../../store/agents/execution-pages.ts';
import { saveSiteWords } from '../../store/agents/execution-site-words.ts';
import { type ExecutionRow, lastReviewed, noteOutcome } from '../../store/agents/executions.ts';
import { openSecrets, secretValues } from '../agents/agent-secrets.ts';
import { loadAgent } from '../agents/load-agent.ts';
import { missingInputs, requireModel, requireStrategy } from '../agents/requirements.ts';
import type { LogLine, RunContext, SiteContext } from '../core/execution-strategy.ts';
import { createMemo } from '../core/memo.ts';
import { growingRedactor, redactAll } from '../core/redact.ts';
import { createBudget } from '../core/run-budget.ts';
import { asRunFault, RunFault } from '../core/run-error.ts';
import { keepRunLease, type RunLease } from '../core/run-lease.ts';
import { effectiveBehavior, preferredModelsOf, type Run, withRunOptions } from '../core/run-state.ts';
import { withTimeout } from '../core/with-timeout.ts';
import { compareRunPages } from '../cross-page/compare-pages.ts';
import { reviewSite } from '../cross-page/review-site.ts';
import { executionStrategies } from '../execute/index.ts';
import { writeCauses } from '../findings/write-causes.ts';
import { type Plan, planRun } from '../plan/plan-pages.ts';
import { savedWordsOf } from '../plan/words-of-run.ts';
import { signIn, withRunAuth } from '../session/session-of-run.ts';
import { endRun, skipRun } from './end-run.ts';
import { formatResponse } from './format-response.ts';
import { type EndedRun, reportEnd, reportStart } from './report-run.ts';
import { agentLabel } from './run-metrics.ts';
import { type RunProgress, startProgress } from './run-progress.ts';
import { abortedBy, type Companion, runTogether } from './run-together.ts';

export interface RunDeps {
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  outside: Outside;
  scorer: Scorer;
  log: Logger;
  settings: { runTokens: number };
}

const MAX_ATTEMPTS = 3;
// A crawl has a time limit of its own, which the default limit of the phase must exceed.
const PLAN_TIMEOUT_MS = 330_000;

/** Identifies one attempt of one process; a restarted process is another owner. */
const newOwner = (): string => `${process.pid}-${randomUUID()}`;

/**
 * Works on an execution until it ends, from wherever an earlier process left it. When `stopping` is aborted, the run is
 * handed back to the queue.
 */
export async function runExecution(
  ref: RunLease['ref'],
  deps: RunDeps,
  stopping: AbortSignal,
  companion = runTogether(1, deps.outside, stopping)[0]!,
): Promise<void> {
  const owner = newOwner();
  const row = await claimExecution(deps.db, ref, owner);
  if (!row) return companion.leave();
  reportStart(deps.log, row);
  const { lease, lost, stop } = keepRunLease(deps, ref, owner);
  const signal = AbortSignal.any([stopping, lost]);
  try {
    const ended = await inSpan('run agent', spanOf(row), async (span) => {
      const end = await work(lease, row, deps, signal, companion).catch((error: unknown) => {
        if (error instanceof LeaseLost || signal.aborted) throw error;
        return endRun(lease, undefined, asRunFault(error, 'INTERNAL'));
      });
      span.set({ 'redpen.execution.status': end.status });
      if (end.error) span.fail(end.error.code);
      return end;
    });
    reportEnd(deps.log, ended);
  } catch (error) {
    if (error instanceof LeaseLost || lost.aborted) return;
    if (!stopping.aborted) throw error;
    lease.log.add({ level: 'info', message: 'The process is stopping; another process continues the run.' });
    await lease.log.flush();
    await deps.db.transaction().execute((tx) => returnRun(tx, deps.jobs, ref, owner));
    deps.log.info({ executionId: ref.executionId }, 'run handed back to the queue');
  } finally {
    companion.leave();
    await stop();
  }
}

const spanOf = ({ agentId, executionId, apiKeyId }: ExecutionRow) => ({
  attributes: {
    'redpen.agent': agentLabel(agentId),
    'redpen.execution.id': executionId,
    'redpen.api_key.id': apiKeyId,
  },
});

/** The phases of a run: check inputs, plan, review each page, compare pages, apply rules across pages, group by causes, format, end. */
async function work(
  lease: RunLease,
  row: ExecutionRow,
  deps: RunDeps,
  signal: AbortSignal,
  companion: Companion,
): Promise<EndedRun> {
  const { db, ref } = lease;
  if (row.attempts > MAX_ATTEMPTS) {
    throw new RunFault('INTERNAL', `Its process ended unexpectedly ${MAX_ATTEMPTS} times.`);
  }
  const run = await loadRun(row, ref, deps);
  const redactor = growingRedactor(secretValues(run.behavior));
  const log = (line: LogLine) => lease.log.add(redactAll(line, redactor.redact));
  const site = await companion.join({ run, log, redactor }, signal);
  const own = { ...deps, outside: site.outside, redact: redactor.redact };
  const context = createContext(run, await tokensSpent(db, ref), lease, own, signal);
  const inReview = { ...context, leadsToLogin: site.leadsToLogin, site };
  logStart(row, context);
  const progress = startProgress(lease, row, (error) =>
    deps.log.warn({ err: error, executionId: ref.executionId }, 'cannot announce the progress of a run'),
  );
  let skipReason: string | undefined;
  try {
    progress.enter('planning');
    skipReason = await prepareRun(run, lease, inReview, own);
    if (skipReason === undefined) await reviewAll(run, lease, inReview, own, progress, companion);
  } finally {
    // Nothing is announced after the end of the run.
    await progress.stop();
  }
  return skipReason === undefined ? await endRun(lease, run) : await skipRun(lease, row, skipReason);
}

async function reviewAll(
  run: Run,
  lease: RunLease,
  context: RunContext,
  deps: RunDeps,
  progress: RunProgress,
  companion: Companion,
): Promise<void> {
  progress.enter('reviewing');
  await companion.review({ run, lease, context, ...deps, onPage: progress.note }, context.signal);
  progress.enter('comparing');
  await compareRunPages(run, lease, context, deps.outside);
  await reviewSite(run, lease, context, deps.outside);
  progress.enter('finishing');
  await writeCauses(run, lease, context);
  await formatResponse(run, lease, context, deps.outside);
}

/** The run with its agent's behavior at the pinned version, secrets in the clear, and the run to compare it with. */
async function loadRun(row: ExecutionRow, ref: RunLease['ref'], { db, keyring }: RunDeps): Promise<Run> {
  const scope = { workspaceId: ref.workspaceId, apiKeyId: ref.apiKeyId };
  const agent = await loadAgent(db, scope, row.agentId, row.agentVersion);
  if (!agent) throw new RunFault('INTERNAL', `The agent ${row.agentId} was deleted.`, { retryable: false });
  const comparedWith = row.outcome.comparedWith ?? (await lastReviewed(db, scope, row));
  const secretsOwner = { apiKeyId: ref.apiKeyId, agentId: row.agentId };
  const behavior = effectiveBehavior(openSecrets(agent.behavior, keyring, secretsOwner), agent.system);
  return {
    scope,
    row,
    request: row.request,
    agentType: agent.system ? 'built-in' : 'custom',
    behavior: withRunAuth(withRunOptions(behavior, row.request), row, keyring),
    comparedWith,
  };
}

/**
 * Checks what the agent requires, and stores the plan of the run unless an earlier attempt did. Returns the reason if
 * there is nothing to review.
 */
async function prepareRun(
  run: Run,
  lease: RunLease,
  context: RunContext & { site: SiteContext },
  { outside }: RunDeps,
): Promise<string | undefined> {
  const { behavior, request, row } = run;
  const missing = missingInputs(behavior.input, {
    url: row.seedUrl,
    organizationId: row.organizationId,
    documentId: row.documentId,
    variables: request.variables,
    userContext: request.userContext,
  });
  if (missing.length > 0) return missing.join(' ');
  requireStrategy(
    behavior.execution?.executionStrategy ?? 'ai',
    executionStrategies.map((strategy) => strategy.name),
  );
  requireModel(behavior.execution ?? {}, preferredModelsOf(run), outside.models);
  await signIn(run, lease, context.site);
  if ((await listPlan(lease.db, lease.ref)).length > 0) return undefined;
  const limit = behavior.phaseTimeoutMs ?? PLAN_TIMEOUT_MS;
  const plan = await withTimeout('crawl', limit, context.signal, (signal) =>
    planRun(run, { ...context, signal }),
  );
  if (plan.nothing === undefined) await writePlan(run, plan, lease);
  return plan.nothing;
}

function createContext(
  run: Run,
  tokensSpentBefore: number,
  lease: RunLease,
  { outside, settings, redact }: RunDeps & { redact(text: string): string },
  signal: AbortSignal,
): RunContext {
  const once = createMemo();
  once('redactor', () => redact);
  const context: RunContext = {
    fetch: abortedBy(signal, outside.fetch),
    browser: browserOfRun(outside.browser),
    models: outside.models,
    connectMcp: outside.connectMcp,
    browserAgent: outside.browserAgent,
    budget: createBudget(settings.runTokens, tokensSpentBefore),
    log: (line) => lease.log.add(redactAll(line, redact)),
    signal,
    savedWords: () => context.once('saved-words', () => savedWordsOf(lease.db, run, lease.ref)),
    once,
  };
  return context;
}

function logStart(row: ExecutionRow, { log }: RunContext): void {
  log(
    row.attempts > 1
      ? { level: 'info', kind: 'phase', message: 'Resumed after its process ended.' }
      : {
          level: 'info',
          kind: 'phase',
          message: `Started: ${row.agentName}, version ${row.agentVersion}, on ${row.seedUrl}`,
          data: { agentId: row.agentId, agentVersion: row.agentVersion, seedUrl: row.seedUrl },
        },
  );
}

const writePlan = (
  { row, comparedWith }: Run,
  plan: Plan,
  { db, ref, owner }: Pick<RunLease, 'db' | 'ref' | 'owner'>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    await planPages(tx, ref, plan.urls);
    if (plan.siteWords) await saveSiteWords(tx, ref, plan.siteWords);
    await noteOutcome(tx, ref, {
      ...row.outcome,
      ...(comparedWith !== undefined && { comparedWith }),
      ...(plan.crawlerResults && { crawlerResults: storable(plan.crawlerResults) }),
    });
  });
