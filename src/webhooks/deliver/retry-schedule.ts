const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The back-off after each failure. A delivery fails for good after one more failure than there are steps. The table in
 * `docs/webhooks.md` repeats the steps; `test/webhook-docs.test.ts` compares them.
 */
export const RETRY_STEPS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;

/** Share by which a step varies, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** `retry-after` may lengthen a step up to this factor. */
const MAX_STEP_FACTOR = 2;

/** Statuses of an overloaded receiver or proxy, which is never retried before the step is over. */
const OVERLOADED = new Set([429, 502, 504]);

interface Failure {
  /** HTTP status, if the receiver answered. */
  status?: number | undefined;
  /** From the `retry-after` header. */
  retryAfterMs?: number | undefined;
}

/** Milliseconds until the next attempt; undefined if there is none. `random` is in [0, 1). */
export function retryDelayMs(
  failures: number,
  { status, retryAfterMs = 0 }: Failure,
  random: number,
): number | undefined {
  const step = RETRY_STEPS_MS[failures - 1];
  if (step === undefined) return undefined;
  const least = status !== undefined && OVERLOADED.has(status) ? 1 : 1 - JITTER;
  const jittered = step * (least + (1 + JITTER - least) * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_STEP_FACTOR * step)));
}
