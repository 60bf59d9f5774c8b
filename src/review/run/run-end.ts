import type { TokenUsage } from '../../outside/models/models.ts';
import type { RunOutcome } from '../../shapes/agents/run.ts';
import { addAnalytics } from '../../store/agents/analytics.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { type LogRow, writeLog } from '../../store/agents/execution-log.ts';
import { listPages, type PageRow } from '../../store/agents/execution-pages.ts';
import { type ExecutionRow, finishExecution, holdExecution } from '../../store/agents/executions.ts';
import type { RunFault } from '../core/run-error.ts';
import { type Held, isOn, type Run } from '../core/run-state.ts';
import { plural, standingOf, statusOf, summarize } from '../core/summary.ts';
import { adaptResponse } from '../respond/index.ts';
import { bugOf, type Ended } from './note-run.ts';

/** Ends a run that had nothing to do, or lacked what it needs. */
export async function skipRun({ db, ref, owner, log }: Held, row: ExecutionRow, why: string): Promise<Ended> {
  await log.flush();
  return await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    const resultsSummary = { ...summarize([]), summary: why };
    const outcome = { ...row.outcome, resultsSummary };
    await writeLog(tx, ref, [lastLine('info', `Skipped: ${why}`, { status: 'skipped' })]);
    const completedAt = Date.now();
    await finishExecution(tx, ref, row, { status: 'skipped', outcome, completedAt }, { resultsSummary });
    return { row, status: 'skipped' as const, completedAt, resultsSummary };
  });
}

/** Ends a run with what its pages came to, or with the fault that kept it from them. */
export async function endRun(
  { db, ref, owner, log }: Held,
  run: Run | undefined,
  fault?: RunFault,
): Promise<Ended> {
  await log.flush();
  return await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    // With all that was noted of its outcome on the way.
    const row = await holdExecution(tx, ref, ref.executionId);
    const completedAt = Date.now();
    const pages = await listPages(tx, ref);
    const { told, noted } = standingOf(pages, row.outcome, run?.comparedWith);
    const { resultsSummary, tokenUsage } = told;
    const errored = pages.filter((page) => page.status === 'failed');
    const skipped = pages.filter((page) => page.status === 'skipped').length;
    const totals = {
      processed: pages.length - skipped,
      errored: errored.length,
      skipped,
      findings: resultsSummary.totalFindings,
    };
    const status = fault ? 'error' : statusOf(totals);
    const firstFault = errored[0]?.detail.error;
    const error = fault
      ? { code: fault.code, message: fault.message, retryable: fault.retryable }
      : status === 'error'
        ? firstFault
        : undefined;
    const outcome = {
      ...noted,
      ...(error && { error: { ...error, occurredAt: completedAt } }),
      ...responseOf(run, pages, row.outcome),
    };
    await writeLog(tx, ref, [
      lastLine(
        status === 'error' ? 'error' : 'info',
        `Ended as ${status}. ${error ? error.message : resultsSummary.summary}${inTokens(tokenUsage)}`,
        {
          status,
          ...totals,
          ...(error && { code: error.code }),
          ...(tokenUsage.requestCount > 0 && { tokenUsage }),
        },
      ),
    ]);
    await finishExecution(
      tx,
      ref,
      row,
      { status, outcome, completedAt },
      { ...told, ...(error && { error }) },
    );
    if (run && isOn(run.behavior.postProcess?.analytics)) {
      const month = new Date(completedAt).toISOString().slice(0, 7);
      await addAnalytics(tx, ref, {
        agentId: row.agentId,
        month,
        model: told.llmModel ?? '',
        findings: totals.findings,
        promptTokens: tokenUsage.promptTokens,
        completionTokens: tokenUsage.completionTokens,
        thoughtsTokens: tokenUsage.thoughtsTokens,
        totalTokens: tokenUsage.totalTokens,
        requests: tokenUsage.requestCount,
      });
    }
    const bug = fault && bugOf(fault);
    return { row, status, completedAt, resultsSummary, tokenUsage, error, bug };
  });
}

/** What the agent's adapter makes of the run, and what a model made of it in words. */
function responseOf(
  run: Run | undefined,
  pages: PageRow[],
  { formatted, response }: RunOutcome,
): Pick<RunOutcome, 'crawlerResults' | 'response'> {
  const adapted = run ? adaptResponse(run.behavior.response?.responseAdapter, pages) : {};
  if (formatted === undefined) return adapted;
  return { ...adapted, response: { ...(adapted.response ?? response), formatted } };
}

const inTokens = ({ totalTokens, requestCount }: TokenUsage): string =>
  requestCount === 0
    ? ''
    : ` It took ${plural(totalTokens, 'token')} in ${plural(requestCount, 'answer')} of a model.`;

const lastLine = (level: LogRow['level'], message: string, data: LogRow['data']): LogRow => ({
  at: Date.now(),
  level,
  kind: 'result',
  message,
  data,
});
