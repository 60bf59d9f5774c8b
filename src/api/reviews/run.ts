import { z } from 'zod';
import { runningUser } from '../../access/acting-member.ts';
import { write } from '../../http/endpoint.ts';
import { dispatchReview, MAX_EXECUTIONS } from '../../review/run/dispatch-review.ts';
import { requestOf, requireAllowed } from '../../review/run/run-request.ts';
import { reviewRunData } from '../../shapes/agents/review-fields.ts';

export default write({
  path: '/v2/reviews/run',
  auth: 'apiKey',
  scope: 'review',
  summary: 'Review pages with several agents, with one verdict.',
  description: `Each agent runs on each URL as an execution of its own, at most ${MAX_EXECUTIONS} in all. They share one crawl, and one load of each page. Returns immediately: reviews/get waits for what changes.`,
  data: reviewRunData.meta({
    examples: [
      {
        urls: ['https://example.com/'],
        agents: ['broken-links', 'accessibility-checker'],
        crossPageExecute: true,
        maxUrlsToProcess: 20,
        severities: { spelling: 'off' },
      },
    ],
  }),
  result: z.object({
    reviewId: z.string(),
    executionIds: z.array(z.string()).describe('One for each URL and agent, in their order.'),
  }),
  message: 'Review created successfully',
  failures: {
    NOT_FOUND: 'An agent, the group or the document does not exist.',
    RESOURCE_EXHAUSTED:
      'Too many reviews of the API key are waiting to start, or the rate limit is exceeded.',
    FAILED_PRECONDITION: 'An agent is disabled, or is already running on this document and URL.',
  },

  async handle(data, { caller, tx, jobs, keyring, settings }) {
    requireAllowed(data, settings);
    const auth = data.auth && { value: data.auth, keyring };
    return await dispatchReview(tx, jobs, caller, {
      ...data,
      ranBy: runningUser(caller, data.ranBy),
      request: requestOf(data),
      auth,
    });
  },
});
