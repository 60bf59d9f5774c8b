import { LRUCache } from 'lru-cache';

interface Use {
  /** How many uses there were in the window, this one among them. */
  used: number;
  /** Until the window ends. */
  resetMs: number;
}

/** Buckets over their quota that are remembered; one that is forgotten is counted on. */
const MAX_BUCKETS = 50_000;

/**
 * Counts uses of quotas that all processes share, each with one statement. Uses of a bucket wait in memory for each
 * other, since in the database they would wait for the same row with a connection each; and none is counted of a
 * bucket that is over its quota.
 */
export class OperationLimits {
  /** When the windows end in which buckets are over their quota. */
  readonly #passed = new LRUCache<string, number>({ max: MAX_BUCKETS });
  /** The last use in the line of each bucket. */
  readonly #last = new Map<string, Promise<Use>>();
  readonly #count: (bucket: string, now: number) => Promise<Use>;
  readonly #now: () => number;

  constructor(count: (bucket: string, now: number) => Promise<Use>, now: () => number = Date.now) {
    this.#count = count;
    this.#now = now;
  }

  /** Counts a use. Where the quota is used up, `used` is larger than it, by whatever number. */
  use(bucket: string, quota: number): Promise<Use> {
    const before = this.#last.get(bucket);
    // A fault is that of the whole line, which would otherwise wait for one after the other.
    const use = before
      ? before.then(() => this.#countUnlessPassed(bucket, quota))
      : this.#countUnlessPassed(bucket, quota);
    this.#last.set(bucket, use);
    const leave = () => {
      if (this.#last.get(bucket) === use) this.#last.delete(bucket);
    };
    use.then(leave, leave);
    return use;
  }

  async #countUnlessPassed(bucket: string, quota: number): Promise<Use> {
    const now = this.#now();
    const left = (this.#passed.get(bucket) ?? 0) - now;
    if (left > 0) return { used: quota + 1, resetMs: left };
    const use = await this.#count(bucket, now);
    if (use.used > quota) this.#passed.set(bucket, now + use.resetMs);
    return use;
  }
}
