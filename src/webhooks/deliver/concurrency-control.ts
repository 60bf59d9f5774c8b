const MAX_CONCURRENCY = 32;
const INITIAL_CONCURRENCY = 8;
const MIN_CONCURRENCY = 2;
/** Failures in a row that open the circuit breaker. */
const FAILURES_BEFORE_PAUSE = 10;
const MAX_PAUSE_MS = 60_000;
/** A lane that fell behind its rate limit may catch up on this much time. */
const CATCH_UP_MS = 50;

/**
 * Controls how fast one endpoint is sent to: concurrency that grows by one with each success and halves with each
 * failure, a circuit breaker with exponential back-off, and the endpoint's rate limit. It outlives the lane, so that
 * a pause does not reset it.
 */
export class ConcurrencyControl {
  /** Most deliveries in flight. */
  limit = INITIAL_CONCURRENCY;
  #failuresInRow = 0;
  #nextAt = 0;

  succeeded(): void {
    this.#failuresInRow = 0;
    this.limit = Math.min(MAX_CONCURRENCY, this.limit + 1);
  }

  failed(): void {
    this.#failuresInRow += 1;
    this.limit = Math.max(MIN_CONCURRENCY, Math.floor(this.limit / 2));
  }

  /** Milliseconds to pause the lane; 0 while the circuit breaker is closed. */
  pauseMs(): number {
    const excess = this.#failuresInRow - FAILURES_BEFORE_PAUSE + 1;
    return excess <= 0 ? 0 : Math.min(MAX_PAUSE_MS, 2_000 * 2 ** Math.min(excess, 10));
  }

  /** Milliseconds until the rate limit admits the next delivery. */
  rateDelayMs(ratePerSecond: number | null, now: number): number {
    return ratePerSecond === null ? 0 : Math.max(0, this.#nextAt - now);
  }

  /** Counts a delivery against the rate limit. */
  countDelivery(ratePerSecond: number | null, now: number): void {
    if (ratePerSecond === null) return;
    this.#nextAt = Math.max(this.#nextAt, now - CATCH_UP_MS) + 1_000 / ratePerSecond;
  }
}
