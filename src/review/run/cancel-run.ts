import type { Tx } from '../../db/tables.ts';
import { deleteWaitingJobs } from '../../jobs/waiting.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { countCauses, groupCauses } from '../../store/agents/execution-causes.ts';
import { writeLog } from '../../store/agents/execution-log.ts';
import {
  type ExecutionRow,
  finishExecution,
  lockExecution,
  requireExecution,
} from '../../store/agents/executions.ts';
import { fixedPlaces } from '../findings/compare-with-previous-run.ts';
import { endReviewOf } from '../reviews/end-review.ts';
import type { EndedRun } from './report-run.ts';
import { readResults, resultsSoFar, totalsOf, verdictOf } from './results-summary.ts';

/**
 * Ends a run at once with its results so far; its worker notices that the lease is lost. If the run finishes at the
 * same time, the first transaction to lock the execution wins.
 */
export async function cancelRun(
  tx: Tx,
  scope: Scope,
  executionId: string,
  reason: string | undefined,
): Promise<{ execution: ExecutionRow; ended: EndedRun }> {
  const row = await lockExecution(tx, scope, executionId);
  if (row.status !== 'running') {
    throw failedPrecondition(`The execution ${executionId} has ended already: its status is ${row.status}.`);
  }
  const ref = { apiKeyId: scope.apiKeyId, executionId };
  const completedAt = Date.now();
  const found = await readResults(tx, ref);
  if ((await countCauses(tx, ref)) === 0)
    await groupCauses(tx, ref, fixedPlaces(found.pages), { areAnnotated: false });
  const comparedWith = row.outcome.comparedWith;
  const results = resultsSoFar(found, row.outcome, comparedWith);
  const message = reason === undefined ? 'The run was cancelled.' : `The run was cancelled: ${reason}`;
  const error = { code: 'CANCELLED', message, retryable: true };
  const verdict = verdictOf('error', totalsOf(found, row.outcome));
  const outcome = { ...results.outcome, verdict, error: { ...error, occurredAt: completedAt } };
  await writeLog(tx, ref, [
    { at: completedAt, level: 'warn', kind: 'result', message, data: { status: 'error', code: error.code } },
  ]);
  // A job left behind would count against the queue limit and delay later jobs until a worker takes it.
  await deleteWaitingJobs(tx, 'agent.run', executionId);
  await finishExecution(
    tx,
    scope,
    row,
    { status: 'error', outcome, completedAt },
    { ...results.reported, error },
  );
  await endReviewOf(tx, scope, row);
  return {
    execution: await requireExecution(tx, scope, executionId),
    ended: { row, status: 'error', completedAt, ...results.reported, error },
  };
}
