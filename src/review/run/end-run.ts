import type { Tx } from '../../db/tables.ts';
import { plural } from '../../lib/text/plural.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { RunErrorRecord, RunOutcome } from '../../shapes/agents/run.ts';
import { addAnalytics } from '../../store/agents/analytics.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { type LogRow, writeLog } from '../../store/agents/execution-log.ts';
import { listPages, type PageRow } from '../../store/agents/execution-pages.ts';
import { type ExecutionRow, finishExecution, lockExecution } from '../../store/agents/executions.ts';
import type { RunFault } from '../core/run-error.ts';
import type { RunLease } from '../core/run-lease.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import { adaptResponse } from '../respond/index.ts';
import { bugOf, type EndedRun } from './report-run.ts';
import { resultsSoFar, statusOf, summarize } from './results-summary.ts';

/** Ends a run that has no pages to review or lacks a required input. */
export async function skipRun(
  { db, ref, owner, log }: RunLease,
  row: ExecutionRow,
  reason: string,
): Promise<EndedRun> {
  await log.flush();
  return await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    const resultsSummary = { ...summarize([]), summary: reason };
    const outcome = { ...row.outcome, resultsSummary };
    await writeLog(tx, ref, [lastLine('info', `Skipped: ${reason}`, { status: 'skipped' })]);
    const completedAt = Date.now();
    await finishExecution(tx, ref, row, { status: 'skipped', outcome, completedAt }, { resultsSummary });
    return { row, status: 'skipped' as const, completedAt, resultsSummary };
  });
}

/** Ends a run with the results of its pages, or with the fault that stopped it. */
export async function endRun(
  { db, ref, owner, log }: RunLease,
  run: Run | undefined,
  fault?: RunFault,
): Promise<EndedRun> {
  await log.flush();
  return await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    // Read again, since the outcome may have changed since the run was claimed.
    const row = await lockExecution(tx, ref, ref.executionId);
    const completedAt = Date.now();
    const pages = await listPages(tx, ref);
    const { reported, outcome: results } = resultsSoFar(pages, row.outcome, run?.comparedWith);
    const { resultsSummary, tokenUsage } = reported;
    const errored = pages.filter((page) => page.status === 'failed');
    const skipped = pages.filter((page) => page.status === 'skipped').length;
    const totals = {
      processed: pages.length - skipped,
      errored: errored.length,
      skipped,
      findings: resultsSummary.totalFindings,
    };
    const status = fault ? 'error' : statusOf(totals);
    const error = fault ? faultFields(fault) : status === 'error' ? errored[0]?.detail.error : undefined;
    const outcome = {
      ...results,
      ...(error && { error: { ...error, occurredAt: completedAt } }),
      ...responseOf(run, pages, row.outcome),
    };
    await writeLog(tx, ref, [
      lastLine(
        status === 'error' ? 'error' : 'info',
        `Ended as ${status}. ${error ? error.message : resultsSummary.summary}${tokensNote(tokenUsage)}`,
        {
          status,
          ...totals,
          ...(error && { code: error.code }),
          ...(tokenUsage.requestCount > 0 && { tokenUsage }),
        },
      ),
    ]);
    const event = { ...reported, ...(error && { error }) };
    await finishExecution(tx, ref, row, { status, outcome, completedAt }, event);
    if (run && isEnabled(run.behavior.postProcess?.analytics))
      await countInAnalytics(tx, row, completedAt, { ...reported, findings: totals.findings });
    const bug = fault && bugOf(fault);
    return { row, status, completedAt, resultsSummary, tokenUsage, error, bug };
  });
}

const faultFields = ({ code, message, retryable }: RunFault): RunErrorRecord => ({
  code,
  message,
  retryable,
});

const countInAnalytics = (
  tx: Tx,
  { apiKeyId, agentId }: ExecutionRow,
  completedAt: number,
  { tokenUsage, llmModel, findings }: { tokenUsage: TokenUsage; llmModel?: string; findings: number },
): Promise<void> =>
  addAnalytics(
    tx,
    { apiKeyId },
    {
      agentId,
      month: new Date(completedAt).toISOString().slice(0, 7),
      model: llmModel ?? '',
      findings,
      promptTokens: tokenUsage.promptTokens,
      completionTokens: tokenUsage.completionTokens,
      thoughtsTokens: tokenUsage.thoughtsTokens,
      totalTokens: tokenUsage.totalTokens,
      requests: tokenUsage.requestCount,
    },
  );

/** `response` of the execution: the output of the response adapter, and the text that a model formatted. */
function responseOf(
  run: Run | undefined,
  pages: PageRow[],
  { formatted, response }: RunOutcome,
): Pick<RunOutcome, 'crawlerResults' | 'response'> {
  const adapted = run ? adaptResponse(run.behavior.response?.responseAdapter, pages) : {};
  if (formatted === undefined) return adapted;
  return { ...adapted, response: { ...(adapted.response ?? response), formatted } };
}

const tokensNote = ({ totalTokens, requestCount }: TokenUsage): string =>
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
