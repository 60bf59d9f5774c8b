import type { Scope } from '../../lib/scope.ts';
import { executionsOfReview } from '../../store/agents/reviews.ts';
import { type RunDeps, runExecution } from './run-execution.ts';
import { runTogether } from './run-together.ts';

/** Works on the executions of a review until they end. Those that another process works on are left to it. */
export async function runReview(
  { reviewId, ...scope }: Scope & { reviewId: string },
  deps: RunDeps,
  stopping: AbortSignal,
): Promise<void> {
  const rows = await executionsOfReview(deps.db, scope, reviewId);
  const running = rows.filter(({ status }) => status === 'running');
  const companions = runTogether(running.length, deps.outside, stopping);
  const ends = await Promise.allSettled(
    running.map(({ executionId }, index) =>
      runExecution({ ...scope, executionId }, deps, stopping, companions[index]),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
