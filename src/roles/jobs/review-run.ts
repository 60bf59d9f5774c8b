import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'review.run': z.output<typeof payload>;
  }
}

const payload = z.object({ workspaceId: z.string(), apiKeyId: z.string(), reviewId: z.string() });

/** Runs the executions of a review together, so that they load each page once. */
export const reviewRun: Job<'review.run', Deps> = {
  name: 'review.run',
  payload,
  subject: 'reviewId',
  plural: 'reviews',
  stores: true,
  // The rows of the executions outlive the job and enqueue it again.
  retries: 0,
  timeoutSeconds: 24 * 3_600,
  concurrency: 2,
  endsOnAbort: true,
  async run(ref, deps, signal) {
    const { runReview } = await import('../../review/run/run-review.ts');
    await runReview(ref, deps, signal);
  },
};
