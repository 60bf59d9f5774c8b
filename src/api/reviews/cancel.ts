import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { readReview } from '../../review/reviews/follow-review.ts';
import { cancelRun } from '../../review/run/cancel-run.ts';
import { reportEnd } from '../../review/run/report-run.ts';
import { review } from '../../shapes/agents/review.ts';
import { reviewId } from '../../shapes/id-fields.ts';
import { lockRunningOfReview, requireReview } from '../../store/agents/reviews.ts';

export default write({
  path: '/v2/reviews/cancel',
  auth: 'apiKey',
  scope: 'review',
  availableWhenFull: true,
  summary: 'Cancel a running review.',
  description:
    'Its executions that are still running end with the status `error` and the error code `CANCELLED`. Findings and suggestions of the pages that are already done remain, and the report shows them.',
  data: z
    .strictObject({
      reviewId,
      reason: z.string().trim().min(1).max(500).optional().describe('Appended to the error messages.'),
    })
    .meta({ examples: [{ reviewId: 'review_1767260000000_1a2B3cD4eF5g', reason: 'Started by mistake.' }] }),
  result: z.object({ review }),
  message: 'Review cancelled successfully',
  failures: {
    NOT_FOUND: 'The review does not exist.',
    FAILED_PRECONDITION: 'The review has already ended.',
  },

  async handle({ reviewId, reason }, { caller, tx, afterCommit }) {
    const { status } = await requireReview(tx, caller, reviewId);
    // All are locked before the first ends, since the end of an execution locks the review.
    const running = status === 'running' ? await lockRunningOfReview(tx, caller, reviewId) : [];
    if (running.length === 0) throw failedPrecondition(`The review ${reviewId} has ended already.`);
    for (const { executionId } of running) {
      const { ended } = await cancelRun(tx, caller, executionId, reason);
      afterCommit((log) => reportEnd(log, ended));
    }
    return { review: await readReview(tx, caller, reviewId) };
  },
});
