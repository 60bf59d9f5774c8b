import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { reviewsListed } from '../../review/reviews/follow-review.ts';
import { review } from '../../shapes/agents/review.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { listReviews } from '../../store/agents/reviews.ts';

const at = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();

export default read({
  path: '/v2/reviews/list',
  auth: 'apiKey',
  summary: 'List the reviews of the API key, newest first.',
  description: 'Each has the state of its executions, as reviews/get returns it.',
  data: z
    .strictObject({
      status: review.shape.status.optional(),
      startedAfter: at.describe('Epoch milliseconds. Only reviews that started later.'),
      startedBefore: at.describe('Epoch milliseconds. Only reviews that started earlier.'),
      pageSize: pageSize(100, 20),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ status: 'ended', pageSize: 20 }] }),
  result: z.object({ reviews: z.array(review), nextPageToken: z.string().optional() }),
  message: 'Reviews listed successfully',

  async handle({ pageSize, pageToken, ...filter }, { caller, db, keyring }) {
    const { rows, next } = await pageOf(
      { keyring, list: ['reviews', caller.apiKeyId], pageToken, pageSize },
      ({ after, limit }) =>
        listReviews(db, caller, filter, {
          limit,
          after: after && { startedAt: Number(after[0]), reviewId: String(after[1]) },
        }),
      (row) => [row.startedAt, row.reviewId],
    );
    return {
      reviews: await reviewsListed(db, rows),
      ...(next !== undefined && { nextPageToken: next }),
    };
  },
});
