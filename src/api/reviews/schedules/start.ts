import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { dispatchReview } from '../../../review/run/dispatch-review.ts';
import { scheduleId } from '../../../shapes/id-fields.ts';
import { changeSchedule, lockSchedule } from '../../../store/agents/review-schedules.ts';

export default write({
  path: '/v2/reviews/schedules/start',
  auth: 'apiKey',
  summary: 'Start the review of a schedule now, in addition to its own starts.',
  description: 'The next start stays as it is. A disabled schedule can be started, too.',
  data: z.strictObject({ scheduleId }).meta({ examples: [{ scheduleId: 'schedule_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({
    reviewId: z.string(),
    executionIds: z.array(z.string()).describe('One for each URL and agent, in their order.'),
  }),
  message: 'Review created successfully',
  failures: {
    NOT_FOUND: 'The schedule, an agent, the group or the document does not exist.',
    RESOURCE_EXHAUSTED:
      'Too many reviews of the API key are waiting to start, or the rate limit is exceeded.',
    FAILED_PRECONDITION: 'An agent is disabled, or is already running on this document and URL.',
  },

  async handle({ scheduleId }, { caller, tx, jobs }) {
    const row = await lockSchedule(tx, caller, scheduleId);
    const { organizationId, documentId } = row;
    const { run, ...request } = row.request;
    const place = documentId === '' ? {} : { organizationId, documentId };
    const started = await dispatchReview(tx, jobs, caller, { ...request, ...place, request: run });
    const now = Date.now();
    await changeSchedule(tx, row, { lastAt: now, lastReviewId: started.reviewId, lastError: null }, now);
    return started;
  },
});
