import type { ReviewOutcome, ReviewRequest, ScheduledReview } from '../../shapes/agents/review-request.ts';

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
  /** Reviews that start by the clock. */
  reviewSchedules: {
    apiKeyId: string;
    scheduleId: string;
    name: string;
    /** Five fields, in the time zone. */
    cron: string;
    timeZone: string;
    enabled: boolean;
    /** Empty, like the document, for reviews without a document. */
    organizationId: string;
    documentId: string;
    /** The data of reviews/run, without its document. */
    request: ScheduledReview;
    /** The next start, in epoch milliseconds. */
    nextAt: number;
    lastAt: number | null;
    lastReviewId: string | null;
    /** Why the last start failed, as a sentence. */
    lastError: string | null;
    createdAt: number;
    updatedAt: number;
  };
}
