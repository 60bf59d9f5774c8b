import type { Operations } from '@redpen/client';

/** A review as the service returns it; the client's own `Review` is a handle on one. */
export type ReviewRecord = Operations['/v2/reviews/get']['result']['review'];
export type ReviewRun = ReviewRecord['executions'][number];
