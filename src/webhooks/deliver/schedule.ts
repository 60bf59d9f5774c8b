const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a delivery waits after each failure; after as many and one more it is given up. */
export const RETRY_STEPS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;

/** By how much a step is longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.2;

/** A receiver that asks for more time gets it, up to so many times the step. */
const MOST_STEPS = 2;

/** Answers of a receiver, or of what stands before it, that has too much to do. */
const OVERLOADED = new Set([429, 502, 504]);

interface Failure {
  /** HTTP status, where there was an answer. */
  status?: number | undefined;
  /** What `retry-after` asked for. */
  retryAfterMs?: number | undefined;
}

/**
 * Milliseconds until the next try after so many failures, or undefined where there is none.
 * `random` is from 0 up to 1. Who is overloaded is never asked before the step is over.
 */
export function waitAfter(
  failures: number,
  { status, retryAfterMs = 0 }: Failure,
  random: number,
): number | undefined {
  const step = RETRY_STEPS_MS[failures - 1];
  if (step === undefined) return undefined;
  const least = status !== undefined && OVERLOADED.has(status) ? 1 : 1 - JITTER;
  const jittered = step * (least + (1 + JITTER - least) * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, MOST_STEPS * step)));
}

/** Milliseconds that a `retry-after` header asks for: seconds or an HTTP date (RFC 9110, 10.2.3). */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
