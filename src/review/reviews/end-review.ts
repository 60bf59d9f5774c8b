import type { Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { deleteWaitingJobs } from '../../jobs/waiting.ts';
import type { Scope } from '../../lib/scope.ts';
import { executionsOfReview, finishReview, lockReview } from '../../store/agents/reviews.ts';
import { countsOf, reportOfReview } from './read-report.ts';

/**
 * Ends the review of an execution that has just ended, if that was its last. Executions are locked before their review,
 * so that the last of several that end at the same time sees the others ended.
 */
export async function endReviewOf(
  tx: Tx,
  scope: Scope,
  { reviewId }: { reviewId: string | null },
): Promise<void> {
  const row = reviewId === null ? undefined : await lockReview(tx, scope, reviewId);
  if (!row || row.status === 'ended') return;
  const executions = await executionsOfReview(tx, scope, row.reviewId);
  if (executions.some(({ status }) => status === 'running')) return;
  const completedAt = Math.max(...executions.map((one) => one.completedAt ?? 0));
  const report = await reportOfReview(tx, { ...row, completedAt });
  const outcome = { verdict: report.verdict, counts: countsOf(report) };
  await finishReview(tx, row, outcome, completedAt);
  await deleteWaitingJobs(tx, 'review.run', row.reviewId);
  const [first] = executions;
  await emit(tx, scope, 'agent_review.completed', {
    reviewId: row.reviewId,
    ...(first && first.documentId !== '' && documentOf(first)),
    urls: row.request.urls,
    agentIds: row.request.agents.map(({ agentId }) => agentId),
    executionIds: executions.map(({ executionId }) => executionId),
    verdict: report.verdict,
    counts: outcome.counts,
    startedAt: row.startedAt,
    completedAt,
  });
}

const documentOf = ({ organizationId, documentId }: { organizationId: string; documentId: string }) => ({
  organizationId,
  documentId,
});
