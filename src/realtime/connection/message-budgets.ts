import { TokenBucket } from './token-bucket.ts';

/** A connection whose messages may wait. */
export interface Waiter {
  /** Handles one waiting message. Returns true if another one waits. */
  handleNext(): boolean;
}

interface Budget {
  bucket: TokenBucket;
  /** Connections in the order of their turns. */
  waiting: Set<Waiter>;
  waitingBytes: number;
}

const TURN_EVERY_MS = 10;

/**
 * One token bucket for all connections of an API key. When it is empty, messages wait and connections take turns, one
 * message each, so that a flood over some connections hardly delays the others.
 */
export class MessageBudgets {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #waitingBytes: number;
  readonly #budgets = new Map<string, Budget>();
  #timer: NodeJS.Timeout | undefined;

  constructor(perSecond: number, burst: number, waitingBytes: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#waitingBytes = waitingBytes;
  }

  /** Number of waiting connections. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#budgets.values()) sum += waiting.size;
    return sum;
  }

  /** True if a message may be handled now; otherwise it must wait. */
  take(apiKeyId: string): boolean {
    const { bucket, waiting } = this.#budgetOf(apiKeyId);
    return waiting.size === 0 && bucket.take(1, Date.now());
  }

  /** Charges the cost of a message beyond 1, which may leave a debt. */
  charge(apiKeyId: string, amount: number): void {
    this.#budgetOf(apiKeyId).bucket.charge(amount, Date.now());
  }

  /** Queues a message; false if too many bytes wait already. */
  wait(apiKeyId: string, waiter: Waiter, bytes: number): boolean {
    const budget = this.#budgetOf(apiKeyId);
    if (budget.waitingBytes + bytes > this.#waitingBytes) return false;
    budget.waitingBytes += bytes;
    budget.waiting.add(waiter);
    this.#timer ??= setInterval(() => this.#giveTurns(), TURN_EVERY_MS);
    return true;
  }

  /** Takes bytes off the waiting ones. */
  stopWaiting(apiKeyId: string, bytes: number): void {
    this.#budgetOf(apiKeyId).waitingBytes -= bytes;
  }

  /** Removes full, idle buckets. */
  prune(now: number): void {
    for (const [apiKeyId, { bucket, waiting, waitingBytes }] of this.#budgets)
      if (waiting.size === 0 && waitingBytes === 0 && bucket.isFull(now)) this.#budgets.delete(apiKeyId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #giveTurns(): void {
    const now = Date.now();
    let isAnyWaiting = false;
    for (const { bucket, waiting } of this.#budgets.values()) {
      for (const waiter of waiting) {
        if (!bucket.take(1, now)) break;
        // Iteration over a set reaches what is added to its end meanwhile.
        waiting.delete(waiter);
        if (waiter.handleNext()) waiting.add(waiter);
      }
      isAnyWaiting ||= waiting.size > 0;
    }
    if (isAnyWaiting) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #budgetOf(apiKeyId: string): Budget {
    let budget = this.#budgets.get(apiKeyId);
    if (!budget) {
      budget = {
        bucket: new TokenBucket(this.#perSecond, this.#burst, Date.now()),
        waiting: new Set(),
        waitingBytes: 0,
      };
      this.#budgets.set(apiKeyId, budget);
    }
    return budget;
  }
}
