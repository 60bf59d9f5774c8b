import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import { resourceExhausted } from '../../lib/errors.ts';

/** Many users behind one address may come back at once. */
const WINDOW_MS = 5_000;
/** Addresses that are remembered; one that is forgotten begins with a full bucket. */
const MAX_ADDRESSES = 50_000;

/** Limits how many unknown tokens an address may show. */
export class TokenTries {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });
  readonly #perWindow: number;

  constructor(perSecond: number) {
    this.#perWindow = (perSecond * WINDOW_MS) / 1_000;
  }

  /** Counts a token that is about to be looked up. Throws RESOURCE_EXHAUSTED. */
  take(address: string): void {
    if (!this.#bucketOf(address).tryRemoveTokens(1)) {
      throw resourceExhausted('Too many unknown tokens came from this address.', 1);
    }
  }

  /** Takes that back: the token proved right. */
  giveBack(address: string): void {
    const bucket = this.#bucketOf(address);
    bucket.content = Math.min(bucket.bucketSize, bucket.content + 1);
  }

  #bucketOf(address: string): TokenBucket {
    let bucket = this.#buckets.get(address);
    if (!bucket) {
      const bucketSize = Math.max(1, this.#perWindow);
      bucket = new TokenBucket({ bucketSize, tokensPerInterval: this.#perWindow, interval: WINDOW_MS });
      bucket.content = bucketSize;
      this.#buckets.set(address, bucket);
    }
    return bucket;
  }
}
