import type { ReviewOutcome, ReviewRequest } from '../../shapes/agents/review-request.ts';

export interface ReviewTables {
  reviews: {
    apiKeyId: string;
    reviewId: string;
    request: ReviewRequest;
    /** `running` until the last of its executions has ended. */
    status: 'running' | 'ended';
    outcome: ReviewOutcome;
    startedAt: number;
    completedAt: number | null;
  };
}
