import { TokenBucket } from 'limiter';
import { resourceExhausted } from '../../lib/errors.ts';
import { createLruCache } from '../../lib/lru-cache.ts';

/** Long enough for many users behind one address to reconnect at once. */
const WINDOW_MS = 5_000;
/** Addresses that are remembered; a forgotten one starts with a full bucket. */
const MAX_ADDRESSES = 50_000;

/** Limits the unknown tokens from one address with a token bucket. */
export class UnknownTokenLimit {
  readonly #buckets = createLruCache<TokenBucket>(MAX_ADDRESSES);
  readonly #perWindow: number;

  constructor(perSecond: number) {
    this.#perWindow = (perSecond * WINDOW_MS) / 1_000;
  }

  /** Counts a token before it is looked up. Throws RESOURCE_EXHAUSTED. */
  take(address: string): void {
    if (!this.#bucketOf(address).tryRemoveTokens(1)) {
      throw resourceExhausted('Too many unknown tokens came from this address.', 1);
    }
  }

  /** Takes back the count of a token that proved valid. */
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
