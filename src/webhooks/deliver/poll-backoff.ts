const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 2_000;

/**
 * Exponential back-off between a lane's polls of the database. Without it, each of hundreds of lanes that wait for a
 * slow endpoint would poll on every event.
 */
export class PollBackoff {
  #emptyPolls = 0;
  #nextAt = 0;

  isDue(): boolean {
    return performance.now() >= this.#nextAt;
  }

  polled(found: number): void {
    this.#nextAt = performance.now() + Math.min(MIN_DELAY_MS * 2 ** this.#emptyPolls, MAX_DELAY_MS);
    this.#emptyPolls += 1;
    if (found > 0) this.reset();
  }

  /** Makes the next poll due at once. */
  reset(): void {
    this.#emptyPolls = 0;
    this.#nextAt = 0;
  }
}
