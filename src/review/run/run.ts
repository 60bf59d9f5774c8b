import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import type { Outside, SafeFetch } from '../../outside/outside.ts';
import { claimExecution, handBack, holdLease, LeaseLost } from '../../store/agents/execution-leases.ts';
import { listPlan, planPages, tokensSpent } from '../../store/agents/execution-pages.ts';
import { type ExecutionRow, lastReviewed, noteOutcome } from '../../store/agents/executions.ts';
import { openSecrets, secretValues } from '../agents/agent-secrets.ts';
import { loadAgent } from '../agents/load-agent.ts';
import { missingInputs, requireModel, requireStrategy } from '../agents/requirements.ts';
import type { LogLine } from '../core/execute-task.ts';
import { createRedactor, redactAll } from '../core/redact.ts';
import { createBudget } from '../core/run-budget.ts';
import { asRunFault, RunFault } from '../core/run-error.ts';
import { createRunLog } from '../core/run-log.ts';
import { behaviorOf, type Held, type Run, wishesOf } from '../core/run-state.ts';
import { withinTime } from '../core/with-timeout.ts';
import { compareRunPages } from '../cross-page/compare-pages.ts';
import { executionStrategies } from '../execute/index.ts';
import { formatResponse } from './format-response.ts';
import { type Ended, noteEnd, noteStart } from './note-run.ts';
import { planRun } from './plan.ts';
import { endRun, skipRun } from './run-end.ts';
import { reviewPages } from './run-pages.ts';
import { watchLease } from './watch-lease.ts';

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
// A crawl takes its own time, which the phase's limit must not undercut by default.
const PLAN_TIMEOUT_MS = 330_000;

/** Names one try of one process; a process that comes back is another one. */
const newOwner = (): string => `${process.pid}-${randomUUID()}`;

/**
 * Works on an execution until it has ended, from wherever an earlier process left it. When this process
 * is told to stop it hands the rest back.
 */
export async function runExecution(ref: Held['ref'], deps: RunDeps, stopping: AbortSignal): Promise<void> {
  const owner = newOwner();
  const row = await claimExecution(deps.db, ref, owner);
  if (!row) return;
  noteStart(deps.log, row);
  const runLog = createRunLog(deps.db, ref, (error) =>
    deps.log.warn({ err: error, executionId: ref.executionId }, 'log of a run cannot be written'),
  );
  const held: Held = { db: deps.db, scorer: deps.scorer, ref, owner, log: runLog };
  const lease = watchLease(held, (error) =>
    deps.log.warn({ err: error, executionId: ref.executionId }, 'lease of a run cannot be renewed'),
  );
  const signal = AbortSignal.any([stopping, lease.lost]);

  try {
    noteEnd(deps.log, await work(held, row, deps, signal));
  } catch (error) {
    if (error instanceof LeaseLost || lease.lost.aborted) return;
    if (stopping.aborted) {
      runLog.add({ level: 'info', message: 'The process stops; the run goes on in the next one.' });
      await runLog.flush();
      await deps.db.transaction().execute((tx) => handBack(tx, deps.jobs, ref, owner));
      deps.log.info({ executionId: ref.executionId }, 'run is handed back');
      return;
    }
    try {
      noteEnd(deps.log, await endRun(held, undefined, asRunFault(error, 'INTERNAL')));
    } catch (late) {
      if (!(late instanceof LeaseLost)) throw late;
    }
  } finally {
    lease.stop();
    await runLog.flush();
  }
}

async function work(held: Held, row: ExecutionRow, deps: RunDeps, signal: AbortSignal): Promise<Ended> {
  const { ref, owner, log: runLog } = held;
  if (row.attempts > MAX_ATTEMPTS) {
    throw new RunFault('INTERNAL', `Its process ended unexpectedly ${MAX_ATTEMPTS} times.`);
  }
  const scope = { workspaceId: ref.workspaceId, apiKeyId: ref.apiKeyId };
  const agent = await loadAgent(deps.db, scope, row.agentId, row.agentVersion);
  if (!agent) throw new RunFault('INTERNAL', `The agent ${row.agentId} was deleted.`, { retryable: false });
  const run: Run = {
    scope,
    row,
    request: row.request,
    agentType: agent.system ? 'built-in' : 'custom',
    behavior: behaviorOf(
      openSecrets(agent.behavior, deps.keyring, { apiKeyId: ref.apiKeyId, agentId: row.agentId }),
      agent.system,
    ),
  };
  const redact = createRedactor(secretValues(run.behavior));
  const memo = new Map<string, unknown>([['redactor', redact]]);
  const context = {
    fetch: untilAborted(deps.outside.fetch, signal),
    browser: deps.outside.browser,
    models: deps.outside.models,
    connectMcp: deps.outside.connectMcp,
    browserAgent: deps.outside.browserAgent,
    budget: createBudget(deps.settings.runTokens, await tokensSpent(deps.db, ref)),
    log: (line: LogLine) => runLog.add(redactAll(line, redact)),
    signal,
    once<T>(key: string, make: () => T): T {
      if (!memo.has(key)) memo.set(key, make());
      return memo.get(key) as T;
    },
  };
  context.log(
    row.attempts > 1
      ? { level: 'info', kind: 'phase', message: 'Taken up again after its process ended.' }
      : {
          level: 'info',
          kind: 'phase',
          message: `Started: ${row.agentName}, version ${row.agentVersion}, on ${row.seedUrl}`,
          data: { agentId: row.agentId, agentVersion: row.agentVersion, seedUrl: row.seedUrl },
        },
  );

  const missing = missingInputs(run.behavior.input, {
    url: row.seedUrl,
    organizationId: row.organizationId,
    documentId: row.documentId,
    variables: run.request.variables,
    userContext: run.request.userContext,
  });
  if (missing.length > 0) return await skipRun(held, row, missing.join(' '));
  const execution = run.behavior.execution;
  requireStrategy(
    execution?.executionStrategy ?? 'ai',
    executionStrategies.map((strategy) => strategy.name),
  );
  requireModel(execution ?? {}, wishesOf(run), deps.outside.models);

  const comparedWith = row.outcome.comparedWith ?? (await lastReviewed(deps.db, scope, row));
  if ((await listPlan(deps.db, ref)).length === 0) {
    const limit = run.behavior.phaseTimeoutMs ?? PLAN_TIMEOUT_MS;
    const plan = await withinTime('crawl', limit, signal, (within) =>
      planRun(run, { ...context, signal: within }),
    );
    if (plan.nothing !== undefined) return await skipRun(held, row, plan.nothing);
    const outcome = {
      ...row.outcome,
      ...(comparedWith !== undefined && { comparedWith }),
      ...(plan.crawlerResults && { crawlerResults: storable(plan.crawlerResults) }),
    };
    await deps.db.transaction().execute(async (tx) => {
      await holdLease(tx, ref, owner);
      await planPages(tx, ref, plan.urls);
      await noteOutcome(tx, ref, outcome);
    });
  }
  const compared = { ...run, comparedWith };
  await reviewPages(compared, held, context, deps);
  await compareRunPages(compared, held, context, deps.outside);
  await formatResponse(compared, held, context, deps.outside);
  return await endRun(held, compared);
}

/** Requests that end with the run, whoever of its pages waits for them. */
const untilAborted =
  (fetch: SafeFetch, end: AbortSignal): SafeFetch =>
  (url, options = {}) =>
    fetch(url, { ...options, signal: options.signal ? AbortSignal.any([options.signal, end]) : end });
