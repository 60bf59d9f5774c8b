import type { Scope } from '../../lib/scope.ts';
import { executionsOfReview } from '../../store/agents/reviews.ts';
import { type RunDeps, runExecution } from './run-execution.ts';

/** Works on the executions of a review until they end. Those that another process works on are left to it. */
export async function runReview(
  { reviewId, ...scope }: Scope & { reviewId: string },
  deps: RunDeps,
  stopping: AbortSignal,
): Promise<void> {
  const rows = await executionsOfReview(deps.db, scope, reviewId);
  const running = rows.filter(({ status }) => status === 'running');
  const ends = await Promise.allSettled(
    running.map(({ executionId }) => runExecution({ ...scope, executionId }, deps, stopping)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
