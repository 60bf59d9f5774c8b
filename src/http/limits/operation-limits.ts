import { createLruCache } from '../../lib/lru-cache.ts';

interface Use {
  /** Uses in the window, including this one. */
  used: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

/** Remembered buckets over their quota. An evicted one is counted in the database again. */
const MAX_BUCKETS = 50_000;

/**
 * Counts uses of quotas that all processes share, each with one statement. Uses of one bucket queue in memory, because in
 * the database each would hold a connection while it waits for the same row. Buckets over their quota are not counted.
 *
 * `@fastify/rate-limit` asks its store about every request, refused ones included, and has no fair share per process;
 * `bench/neighbors.ts` shows what a flood of one caller costs the others.
 */
export class OperationLimits {
  /** Ends of the windows of buckets that are over their quota. */
  readonly #passed = createLruCache<number>(MAX_BUCKETS);
  /** Last queued use of each bucket. */
  readonly #last = new Map<string, Promise<Use>>();
  readonly #count: (bucket: string, now: number) => Promise<Use>;
  readonly #now: () => number;

  constructor(count: (bucket: string, now: number) => Promise<Use>, now: () => number = Date.now) {
    this.#count = count;
    this.#now = now;
  }

  /** Counts a use. If the quota is exceeded, `used` is some number above it. */
  use(bucket: string, quota: number): Promise<Use> {
    const before = this.#last.get(bucket);
    // A failure fails the whole queue, whose uses would otherwise time out one after the other.
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
