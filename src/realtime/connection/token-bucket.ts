/** How much may still be used: as much as `burst` at once, refilled at a steady pace. */
export class Allowance {
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

  /** Uses some; false where there is not enough left, and then nothing is used. */
  take(amount: number, now: number): boolean {
    this.#refill(now);
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }

  /** Uses some even where there is not enough left, which leaves a debt. */
  charge(amount: number, now: number): void {
    this.#refill(now);
    this.#left -= amount;
  }

  /** Adds what is refilled in so many milliseconds, beyond the burst if need be. */
  credit(ms: number): void {
    this.#left += ms * this.#perMs;
  }

  /** Nothing of it is in use, so that it need not be remembered. */
  isFull(now: number): boolean {
    this.#refill(now);
    return this.#left >= this.#burst;
  }

  #refill(now: number): void {
    // A clock that was set back must not take anything away.
    const passed = Math.max(0, now - this.#at);
    const refilled = Math.min(this.#burst, this.#left + passed * this.#perMs);
    // What was credited beyond the burst stays.
    this.#left = Math.max(this.#left, refilled);
    this.#at = now;
  }
}

/** Allowances by whom they belong to. */
export class Allowances {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #known = new Map<string, Allowance>();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  take(owner: string, amount: number, now: number): boolean {
    let allowance = this.#known.get(owner);
    if (!allowance) {
      allowance = new Allowance(this.#perSecond, this.#burst, now);
      this.#known.set(owner, allowance);
    }
    return allowance.take(amount, now);
  }

  /** Forgets those that nobody uses. */
  prune(now: number): void {
    for (const [owner, allowance] of this.#known) if (allowance.isFull(now)) this.#known.delete(owner);
  }
}
