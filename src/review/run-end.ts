import { addUsage, NO_USAGE, type TokenUsage } from '../outside/models/models.ts';
import { addAnalytics } from '../store/analytics.ts';
import { holdLease } from '../store/execution-leases.ts';
import { listPages } from '../store/execution-pages.ts';
import { type ExecutionRow, finishExecution } from '../store/executions.ts';
import { respond } from './respond/index.ts';
import type { RunFault } from './run-fault.ts';
import { type Held, isOn, type Run } from './run-shape.ts';
import { statusOf, summarize } from './summary.ts';

/** Ends a run that had nothing to do, or lacked what it needs. */
export const skipRun = ({ db, ref, owner }: Held, row: ExecutionRow, why: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
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
export const endRun = (
  { db, ref, owner }: Held,
  row: ExecutionRow,
  run: Run | undefined,
  fault?: RunFault,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
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
      { resultsSummary, tokenUsage, ...(llmModel && { llmModel }), ...(error && { error }) },
    );
    if (run && isOn(run.behavior.postProcess?.analytics)) {
      const month = new Date(completedAt).toISOString().slice(0, 7);
      await addAnalytics(tx, ref, {
        agentId: row.agentId,
        month,
        model: llmModel ?? '',
        findings: totals.findings,
        promptTokens: tokenUsage.promptTokens,
        completionTokens: tokenUsage.completionTokens,
        thoughtsTokens: tokenUsage.thoughtsTokens,
        totalTokens: tokenUsage.totalTokens,
        requests: tokenUsage.requestCount,
      });
    }
  });

const usageOf = (usages: (TokenUsage | undefined)[]): TokenUsage =>
  usages.reduce<TokenUsage>((sum, usage) => addUsage(sum, { ...NO_USAGE, ...usage }), NO_USAGE);
