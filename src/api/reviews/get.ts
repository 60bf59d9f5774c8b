import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { followReview } from '../../review/reviews/follow-review.ts';
import { review } from '../../shapes/agents/review.ts';
import { reviewId } from '../../shapes/id-fields.ts';

export default read({
  path: '/v2/reviews/get',
  auth: 'apiKey',
  summary: 'Get a review with the state of its executions.',
  description:
    'To follow a review, send `revision` of the previous answer as `seen` with `waitMs`: the answer comes with the next change, or when the time is over. `GET /v2/reviews/{reviewId}/report` returns the findings, merged over the agents.',
  data: z
    .strictObject({
      reviewId,
      seen: z.string().min(1).max(100).optional().describe('`revision` of an earlier answer.'),
      waitMs: z
        .number()
        .int()
        .min(0)
        .max(30_000)
        .default(0)
        .describe('Maximum time to wait for a revision other than `seen`, in milliseconds.'),
    })
    .meta({ examples: [{ reviewId: 'review_1767260000000_1a2B3cD4eF5g', waitMs: 20_000 }] }),
  result: z.object({ review }),
  message: 'Review fetched successfully',
  failures: { NOT_FOUND: 'The review does not exist.' },

  async handle({ reviewId, seen, waitMs }, { caller, db, clientSignal, releaseTurn }) {
    const shown = await followReview(db, caller, reviewId, { seen, waitMs }, () => {
      releaseTurn();
      return clientSignal();
    });
    return { review: shown };
  },
});
