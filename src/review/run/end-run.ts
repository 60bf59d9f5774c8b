import type { Tx } from '../../db/tables.ts';
import { plural } from '../../lib/text/plural.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { RunErrorRecord, RunOutcome } from '../../shapes/agents/run.ts';
import { addAnalytics } from '../../store/agents/analytics.ts';
import { countCauses, groupCauses } from '../../store/agents/execution-causes.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { type LogRow, writeLog } from '../../store/agents/execution-log.ts';
import { type ExecutionRow, finishExecution, lockExecution } from '../../store/agents/executions.ts';
import type { RunFault } from '../core/run-error.ts';
import type { RunLease } from '../core/run-lease.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import { fixedPlaces } from '../findings/compare-with-previous-run.ts';
import { adaptResponse } from '../respond/index.ts';
import { endReviewOf } from '../reviews/end-review.ts';
import { bugOf, type EndedRun } from './report-run.ts';
import { readResults, resultsSoFar, statusOf, summarize, totalsOf, verdictOf } from './results-summary.ts';

const NO_RESULTS = { pages: [], counts: [], gravest: [] };

/** Ends a run that has no pages to review or lacks a required input. */
export async function skipRun(
  { db, ref, owner, log }: RunLease,
  row: ExecutionRow,
  reason: string,
): Promise<EndedRun> {
  await log.flush();
  return await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    const resultsSummary = { ...summarize(NO_RESULTS), summary: reason };
    const outcome = { ...row.outcome, resultsSummary, verdict: 'incomplete' as const };
    await writeLog(tx, ref, [lastLine('info', `Skipped: ${reason}`, { status: 'skipped' })]);
    const completedAt = Date.now();
    await finishExecution(tx, ref, row, { status: 'skipped', outcome, completedAt }, { resultsSummary });
    await endReviewOf(tx, ref, row);
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
    const found = await readResults(tx, ref);
    if ((await countCauses(tx, ref)) === 0)
      await groupCauses(tx, ref, fixedPlaces(found.pages), { areAnnotated: false });
    const { reported, outcome: results } = resultsSoFar(found, row.outcome, run?.comparedWith);
    const { resultsSummary, tokenUsage } = reported;
    const failed = found.pages.find((page) => page.status === 'failed');
    const totals = totalsOf(found, row.outcome);
    const status = fault ? 'error' : statusOf(totals);
    const error = fault ? faultFields(fault) : status === 'error' ? failed?.detail.error : undefined;
    const outcome = {
      ...results,
      verdict: verdictOf(status, totals),
      ...(error && { error: { ...error, occurredAt: completedAt } }),
      ...(await responseOf(tx, ref, run, row.outcome)),
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
    await endReviewOf(tx, ref, row);
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
async function responseOf(
  tx: Tx,
  ref: RunLease['ref'],
  run: Run | undefined,
  { formatted, response }: RunOutcome,
): Promise<Pick<RunOutcome, 'crawlerResults' | 'response'>> {
  const adapted = run ? await adaptResponse(tx, ref, run.behavior.response?.responseAdapter) : {};
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
