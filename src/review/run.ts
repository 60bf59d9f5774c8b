import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Db } from '../db/tables.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { Keyring } from '../lib/crypto.ts';
import type { Outside } from '../outside/outside.ts';
import { addAnalytics } from '../store/analytics.ts';
import {
  claimExecution,
  handBack,
  holdLease,
  LEASE_MS,
  LeaseLost,
  renewLease,
} from '../store/execution-leases.ts';
import { listPages, listPlan, planPages } from '../store/execution-pages.ts';
import { type ExecutionRow, finishExecution } from '../store/executions.ts';
import { executionStrategies } from './execute/index.ts';
import type { TokenUsage } from './execute/strategy.ts';
import { isPageLinks, pageUrlsOf } from './links/page-urls.ts';
import { runChecker } from './links/run-checker.ts';
import { loadAgent } from './load-agent.ts';
import { withinTime } from './phase.ts';
import { inScope, planRun } from './plan.ts';
import { type ModelProviders, missingInputs, requireStrategy } from './requirements.ts';
import { respond } from './respond/index.ts';
import { asRunFault, RunFault } from './run-fault.ts';
import { createRunLog, type RunLog } from './run-log.ts';
import { reviewPage } from './run-page.ts';
import { isOn, type Run, type RunBehavior, type RunRequest, usesBrowser } from './run-shape.ts';
import { openSecrets } from './secrets.ts';
import { statusOf, summarize } from './summary.ts';

export interface RunDeps {
  db: Db;
  jobs: Jobs;
  keyring: Keyring;
  outside: Outside;
  log: Logger;
  settings: { models: ModelProviders };
}

const MAX_ATTEMPTS = 3;
const PAGES_AT_ONCE = { withBrowser: 4, without: 8 };
// A crawl takes its own time, which the phase's limit must not undercut by default.
const PLAN_TIMEOUT_MS = 330_000;

/** Names one try of one process; a process that comes back is another one. */
const newOwner = (): string => `${process.pid}-${randomUUID()}`;

/**
 * Works on an execution until it has ended, from wherever an earlier process left it. When this process
 * is told to stop it hands the rest back.
 */
export async function runExecution(
  ref: { workspaceId: string; apiKeyId: string; executionId: string },
  deps: RunDeps,
  stopping: AbortSignal,
): Promise<void> {
  const owner = newOwner();
  const row = await claimExecution(deps.db, ref, owner);
  if (!row) return;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const heartbeat = setInterval(() => {
    renewLease(deps.db, ref, owner).then(
      (kept) => kept || lost.abort(new LeaseLost(`The run ${ref.executionId} was taken over.`)),
      (error: unknown) =>
        deps.log.warn({ err: error, executionId: ref.executionId }, 'lease could not be renewed'),
    );
  }, LEASE_MS / 6);
  const runLog = createRunLog(deps.db, ref, (error) =>
    deps.log.warn({ err: error }, 'run log could not be written'),
  );

  try {
    await work(ref, row, owner, deps, signal, runLog);
  } catch (error) {
    if (error instanceof LeaseLost || lost.signal.aborted) return;
    if (stopping.aborted) {
      runLog.add({ level: 'info', message: 'The process stops; the run goes on in the next one.' });
      await deps.db.transaction().execute((tx) => handBack(tx, deps.jobs, ref, owner));
      return;
    }
    deps.log.error({ err: error, executionId: ref.executionId }, 'run failed');
    await end(ref, row, owner, deps, undefined, asRunFault(error, 'INTERNAL'));
  } finally {
    clearInterval(heartbeat);
    await runLog.flush();
  }
}

type Ref = Parameters<typeof runExecution>[0];

async function work(
  ref: Ref,
  row: ExecutionRow,
  owner: string,
  deps: RunDeps,
  signal: AbortSignal,
  runLog: RunLog,
): Promise<void> {
  if (row.attempts > MAX_ATTEMPTS) {
    throw new RunFault('INTERNAL', `Its process ended unexpectedly ${MAX_ATTEMPTS} times.`);
  }
  const scope = { workspaceId: ref.workspaceId, apiKeyId: ref.apiKeyId };
  const agent = await loadAgent(deps.db, scope, row.agentId, row.agentVersion);
  if (!agent) throw new RunFault('INTERNAL', `The agent ${row.agentId} was deleted.`, { retryable: false });
  const run: Run = {
    scope,
    row,
    request: row.request as unknown as RunRequest,
    agentType: agent.system ? 'built-in' : 'custom',
    behavior: openSecrets(agent.behavior, deps.keyring, {
      apiKeyId: ref.apiKeyId,
      agentId: row.agentId,
    }) as RunBehavior,
  };
  const memo = new Map<string, unknown>();
  const context = {
    fetch: deps.outside.fetch,
    browser: deps.outside.browser,
    log: runLog.add,
    signal,
    once<T>(key: string, make: () => T): T {
      if (!memo.has(key)) memo.set(key, make());
      return memo.get(key) as T;
    },
  };
  if (row.attempts > 1) runLog.add({ level: 'info', message: 'Taken up again after its process ended.' });

  const missing = missingInputs(run.behavior.input, {
    url: row.seedUrl,
    organizationId: row.organizationId,
    documentId: row.documentId,
    variables: run.request.variables,
    userContext: run.request.userContext,
  });
  if (missing.length > 0) return await skip(ref, row, owner, deps, missing.join(' '));
  const execution = run.behavior.execution;
  requireStrategy(
    execution?.executionStrategy ?? 'ai',
    executionStrategies.map((strategy) => strategy.name),
    run.request.aiConfig?.provider ?? execution?.aiConfig?.provider,
    deps.settings.models,
  );

  let outcome: Record<string, unknown> = row.outcome;
  if ((await listPlan(deps.db, ref)).length === 0) {
    const limit = run.behavior.phaseTimeoutMs ?? PLAN_TIMEOUT_MS;
    const plan = await withinTime('crawl', limit, signal, (within) =>
      planRun(run, { ...context, signal: within }),
    );
    if (plan.nothing !== undefined) return await skip(ref, row, owner, deps, plan.nothing);
    outcome = { ...outcome, ...(plan.crawlerResults && { crawlerResults: plan.crawlerResults }) };
    await deps.db.transaction().execute(async (tx) => {
      await holdLease(tx, ref, owner);
      await planPages(tx, ref, plan.urls);
    });
  }
  await reviewPages(run, ref, owner, context, deps);
  await end(ref, { ...row, outcome }, owner, deps, run);
}

type Context = Parameters<typeof reviewPage>[2];

/** Reviews the planned pages, several at once, and those that scripts reveal on the way. */
async function reviewPages(
  run: Run,
  ref: Ref,
  owner: string,
  context: Context,
  deps: RunDeps,
): Promise<void> {
  const plan = await listPlan(deps.db, ref);
  const known = new Set(plan.map((page) => page.url));
  const waiting = plan.filter((page) => page.status === 'planned').map((page) => page.url);
  const limit = usesBrowser(run.behavior) ? PAGES_AT_ONCE.withBrowser : PAGES_AT_ONCE.without;

  /** Plans the pages among these addresses that are not known yet, each under the address that answers. */
  const discover = async (urls: string[]) => {
    const candidates = urls.filter((url) => !known.has(url) && inScope(run.behavior, url));
    if (candidates.length === 0 || known.size >= run.request.maxUrlsToProcess) return;
    const checker = runChecker(context);
    const read = await Promise.all(
      candidates.map((url) => checker.read(url, context.signal).catch(() => undefined)),
    );
    context.signal.throwIfAborted();
    const fresh: string[] = [];
    for (const reached of read) {
      const url = reached?.final.page && reached.final.url;
      if (!url || known.has(url) || !inScope(run.behavior, url) || !sameHost(url, run.row.seedUrl)) continue;
      if (known.size >= run.request.maxUrlsToProcess) break;
      known.add(url);
      fresh.push(url);
    }
    if (fresh.length === 0) return;
    await deps.db.transaction().execute(async (tx) => {
      await holdLease(tx, ref, owner);
      await planPages(tx, ref, fresh);
    });
    waiting.push(...fresh);
  };
  let active = 0;
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      if (waiting.length === 0 && active === 0) return resolve();
      while (active < limit && waiting.length > 0) {
        const url = waiting.shift()!;
        active += 1;
        reviewPage(run, url, context, { db: deps.db, outside: deps.outside, owner })
          .then(({ gathered }) => {
            const links = gathered.find((one) => one.name === 'web-page-links')?.data;
            if (run.request.crossPageExecute && isPageLinks(links)) return discover(pageUrlsOf(links));
          })
          .then(() => {
            active -= 1;
            next();
          }, reject);
      }
    };
    next();
  });
}

const sameHost = (url: string, other: string): boolean => new URL(url).host === new URL(other).host;

/** Ends a run that had nothing to do, or lacked what it needs. */
const skip = (ref: Ref, row: ExecutionRow, owner: string, deps: RunDeps, why: string): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    const resultsSummary = { ...summarize([]), summary: why };
    const outcome = { ...row.outcome, resultsSummary };
    await finishExecution(
      tx,
      ref,
      row,
      { status: 'skipped', outcome, completedAt: Date.now() },
      { resultsSummary },
    );
  });

/** Ends a run with what its pages came to, or with the fault that kept it from them. */
const end = (
  ref: Ref,
  row: ExecutionRow,
  owner: string,
  deps: RunDeps,
  run: Run | undefined,
  fault?: RunFault,
): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    const completedAt = Date.now();
    const pages = await listPages(tx, ref);
    const resultsSummary = summarize(pages);
    const errored = pages.filter((page) => page.status === 'failed');
    const totals = {
      processed: pages.length,
      errored: errored.length,
      findings: resultsSummary.totalFindings as number,
    };
    const status = fault ? 'error' : statusOf(totals);
    const firstFault = errored[0]?.detail.error as
      | { code: string; message: string; retryable: boolean }
      | undefined;
    const error = fault
      ? { code: fault.code, message: fault.message, retryable: fault.retryable }
      : status === 'error'
        ? firstFault
        : undefined;
    const tokenUsage = usageOf(pages.map((page) => page.detail.usage as TokenUsage | undefined));
    const llmModel = pages.map((page) => page.detail.llmModel as string | undefined).find(Boolean);
    const outcome = {
      ...row.outcome,
      resultsSummary,
      tokenUsage,
      ...(llmModel && { llmModel }),
      ...(error && { error: { ...error, occurredAt: completedAt } }),
      ...(run && respond(run.behavior.response?.responseAdapter, pages)),
    };
    await finishExecution(
      tx,
      ref,
      row,
      { status, outcome, completedAt },
      { resultsSummary, tokenUsage, ...(llmModel && { llmModel }) },
    );
    if (run && isOn(run.behavior.postProcess?.analytics)) {
      const month = new Date(completedAt).toISOString().slice(0, 7);
      await addAnalytics(tx, ref, {
        agentId: row.agentId,
        month,
        model: llmModel ?? '',
        findings: totals.findings,
        ...tokenUsage,
      });
    }
  });

const usageOf = (usages: (TokenUsage | undefined)[]): TokenUsage =>
  usages.reduce<TokenUsage>(
    (sum, usage) => ({
      promptTokens: sum.promptTokens + (usage?.promptTokens ?? 0),
      completionTokens: sum.completionTokens + (usage?.completionTokens ?? 0),
      totalTokens: sum.totalTokens + (usage?.totalTokens ?? 0),
    }),
    { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
  );
