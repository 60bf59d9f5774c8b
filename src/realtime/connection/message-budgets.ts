import { Allowance } from './token-bucket.ts';

/** A connection whose messages wait for their turn. */
export interface Waiter {
  /** Handles one message; answers whether another one waits. */
  handleNext(): boolean;
}

interface Budget {
  left: Allowance;
  /** In the order in which they are next. */
  waiting: Set<Waiter>;
  waitingBytes: number;
}

const TURN_EVERY_MS = 10;

/**
 * Bounds what all connections of an API key send together. Over its budget, messages wait, and each connection has
 * one of them handled in turn, so that a flood over some connections hardly delays the others.
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

  /** How many connections wait. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#budgets.values()) sum += waiting.size;
    return sum;
  }

  /** True if a message may be handled now; otherwise it waits behind those that wait already. */
  take(apiKeyId: string): boolean {
    const { left, waiting } = this.#budgetOf(apiKeyId);
    return waiting.size === 0 && left.take(1, Date.now());
  }

  /** Charges what a message costs beyond 1, which may leave a debt. */
  charge(apiKeyId: string, amount: number): void {
    this.#budgetOf(apiKeyId).left.charge(amount, Date.now());
  }

  /** Keeps a message of so many bytes waiting; false where too many bytes wait already. */
  wait(apiKeyId: string, waiter: Waiter, bytes: number): boolean {
    const budget = this.#budgetOf(apiKeyId);
    if (budget.waitingBytes + bytes > this.#waitingBytes) return false;
    budget.waitingBytes += bytes;
    budget.waiting.add(waiter);
    this.#timer ??= setInterval(() => this.#giveTurns(), TURN_EVERY_MS);
    return true;
  }

  /** Messages of so many bytes wait no more. */
  waited(apiKeyId: string, bytes: number): void {
    this.#budgetOf(apiKeyId).waitingBytes -= bytes;
  }

  /** Forgets budgets of which nothing is in use. */
  prune(now: number): void {
    for (const [apiKeyId, { left, waiting, waitingBytes }] of this.#budgets)
      if (waiting.size === 0 && waitingBytes === 0 && left.isFull(now)) this.#budgets.delete(apiKeyId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #giveTurns(): void {
    const now = Date.now();
    let isAnyWaiting = false;
    for (const { left, waiting } of this.#budgets.values()) {
      for (const waiter of waiting) {
        if (!left.take(1, now)) break;
        // A set goes on to what is added to its end meanwhile.
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
        left: new Allowance(this.#perSecond, this.#burst, Date.now()),
        waiting: new Set(),
        waitingBytes: 0,
      };
      this.#budgets.set(apiKeyId, budget);
    }
    return budget;
  }
}
