import type { Operations, Redpen } from '@redpen/client';

/** A review as the service returns it. */
export type ReviewRecord = Operations['/v2/reviews/get']['result']['review'];

const WAIT_MS = 20_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Calls `show` with each state of a review until it has ended. The service answers a request when something has changed.
 * While it cannot be reached, `onProblem` is called, and it is asked again.
 */
export async function followReview(
  client: Redpen,
  reviewId: string,
  signal: AbortSignal,
  show: (review: ReviewRecord) => void,
  onProblem: (message: string | undefined) => void,
): Promise<void> {
  let seen: string | undefined;
  for (let pauseMs = 1_000; !signal.aborted; ) {
    const data = { reviewId, ...(seen !== undefined && { seen, waitMs: WAIT_MS }) };
    const got = await client.reviews.get(data, { safe: true, signal }).catch(() => undefined);
    if (signal.aborted || !got) return;
    if (got.ok) {
      const { review } = got.data;
      onProblem(undefined);
      show(review);
      if (review.status === 'ended') return;
      seen = review.revision;
      pauseMs = 1_000;
      continue;
    }
    onProblem(got.error.message);
    // The service has decided: it will not answer otherwise.
    const { httpStatus, retryAfterMs } = got.error;
    if (httpStatus !== undefined && httpStatus < 500 && httpStatus !== 429) return;
    await pause(retryAfterMs ?? pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
    signal.addEventListener('abort', finish);
  });
