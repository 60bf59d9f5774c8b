/**
 * A token bucket. Not the `limiter` package, which has no debt (`charge`), no credit beyond the burst, and refills by its
 * own clock.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  #left: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perMs = perSecond / 1_000;
    this.#burst = burst;
    this.#left = burst;
    this.#at = now;
  }

  /** Takes tokens if there are enough; otherwise takes none and returns false. */
  take(amount: number, now: number): boolean {
    this.#refill(now);
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }

  /** Takes tokens even if there are too few, which leaves a debt. */
  charge(amount: number, now: number): void {
    this.#refill(now);
    this.#left -= amount;
  }

  /** Adds the refill of a time span, beyond the burst if need be. */
  credit(ms: number): void {
    this.#left += ms * this.#perMs;
  }

  /** True if the bucket may be forgotten. */
  isFull(now: number): boolean {
    this.#refill(now);
    return this.#left >= this.#burst;
  }

  #refill(now: number): void {
    // A clock that is set back must not remove tokens.
    const passed = Math.max(0, now - this.#at);
    const refilled = Math.min(this.#burst, this.#left + passed * this.#perMs);
    // Credit beyond the burst stays.
    this.#left = Math.max(this.#left, refilled);
    this.#at = now;
  }
}

/** Token buckets by owner. */
export class TokenBuckets {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  take(owner: string, amount: number, now: number): boolean {
    let bucket = this.#buckets.get(owner);
    if (!bucket) {
      bucket = new TokenBucket(this.#perSecond, this.#burst, now);
      this.#buckets.set(owner, bucket);
    }
    return bucket.take(amount, now);
  }

  /** Removes full buckets. */
  prune(now: number): void {
    for (const [owner, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(owner);
  }
}
