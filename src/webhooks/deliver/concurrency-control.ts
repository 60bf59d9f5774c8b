const MOST_AT_ONCE = 32;
const FIRST_AT_ONCE = 8;
const LEAST_AT_ONCE = 2;
/** After so many failures in a row an endpoint is left alone for a while. */
const FAILURES_BEFORE_PAUSE = 10;
const LONGEST_PAUSE_MS = 60_000;
/** How far behind its rate an endpoint may catch up. */
const CATCH_UP_MS = 50;

/**
 * How fast an endpoint is sent to: few at once where nothing is known or it fails, more as it takes them;
 * never more a second than it asked for. Outlives the lane, so that a pause does not start it anew.
 */
export class Pace {
  /** Deliveries at once. */
  limit = FIRST_AT_ONCE;
  #failures = 0;
  #nextAt = 0;

  succeeded(): void {
    this.#failures = 0;
    this.limit = Math.min(MOST_AT_ONCE, this.limit + 1);
  }

  failed(): void {
    this.#failures += 1;
    this.limit = Math.max(LEAST_AT_ONCE, Math.floor(this.limit / 2));
  }

  /** For how long nothing should be sent, in milliseconds; 0 while there is hope. */
  pauseMs(): number {
    const beyond = this.#failures - FAILURES_BEFORE_PAUSE + 1;
    return beyond <= 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 2_000 * 2 ** Math.min(beyond, 10));
  }

  /** Milliseconds until the rate lets the next one go. */
  waitMs(ratePerSecond: number | null, now: number): number {
    return ratePerSecond === null ? 0 : Math.max(0, this.#nextAt - now);
  }

  /** Takes a place at the rate. */
  take(ratePerSecond: number | null, now: number): void {
    if (ratePerSecond === null) return;
    this.#nextAt = Math.max(this.#nextAt, now - CATCH_UP_MS) + 1_000 / ratePerSecond;
  }
}
