import type { Tx } from '../../db/tables.ts';
import { dropWaiting } from '../../jobs/waiting.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { writeLog } from '../../store/agents/execution-log.ts';
import { listPages } from '../../store/agents/execution-pages.ts';
import {
  type ExecutionRow,
  finishExecution,
  holdExecution,
  requireExecution,
} from '../../store/agents/executions.ts';
import { standingOf } from '../core/summary.ts';
import type { Ended } from './note-run.ts';

/**
 * Ends a run at once, with what it had come to; whoever works on it finds that it lost the lease. Between this and
 * the run's own end whichever holds the execution first wins.
 */
export async function cancelRun(
  tx: Tx,
  scope: Scope,
  executionId: string,
  reason: string | undefined,
): Promise<{ execution: ExecutionRow; ended: Ended }> {
  const row = await holdExecution(tx, scope, executionId);
  if (row.status !== 'running') {
    throw failedPrecondition(`The execution ${executionId} has ended already: its status is ${row.status}.`);
  }
  const ref = { apiKeyId: scope.apiKeyId, executionId };
  const completedAt = Date.now();
  const pages = await listPages(tx, ref);
  const comparedWith = row.outcome.comparedWith;
  const { told, noted } = standingOf(pages, row.outcome, comparedWith);
  const message = reason === undefined ? 'The run was cancelled.' : `The run was cancelled: ${reason}`;
  const error = { code: 'CANCELLED', message, retryable: true };
  const outcome = { ...noted, error: { ...error, occurredAt: completedAt } };
  await writeLog(tx, ref, [
    { at: completedAt, level: 'warn', kind: 'result', message, data: { status: 'error', code: error.code } },
  ]);
  // Otherwise it counts among what may wait, and stands ahead of others, until a worker takes it.
  await dropWaiting(tx, 'agent.run', executionId);
  await finishExecution(tx, scope, row, { status: 'error', outcome, completedAt }, { ...told, error });
  return {
    execution: await requireExecution(tx, scope, executionId),
    ended: { row, status: 'error', completedAt, ...told, error },
  };
}
