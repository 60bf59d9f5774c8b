import type { FastifyReply } from 'fastify';
import { TokenBucket } from 'limiter';
import { type ApiError, resourceExhausted } from '../../lib/errors.ts';
import { createLruCache } from '../../lib/lru-cache.ts';

/** State of a caller's quota, for the header fields. */
interface QuotaState {
  /** Names the quota. */
  policy: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until the quota is refilled. */
  resetSeconds: number;
}

interface BucketOptions {
  /** Names the quota in the header fields. */
  policy: string;
  perSecond: number;
  /** Size of a burst, as the seconds that it takes to refill. */
  windowSeconds: number;
  /** This process's part of `perSecond`, above 0 and up to 1. */
  share(): number;
  refusal(perSecond: number): string;
}

/** Remembered callers. An evicted one starts with a full bucket. */
const MAX_CALLERS = 50_000;

/**
 * A token bucket for each caller that is refilled completely within a window. `admission.ts` sets the rates of API keys
 * and addresses from REDPEN_KEY_RATE and REDPEN_ADDRESS_RATE.
 */
export class CallerBuckets {
  readonly #buckets = createLruCache<TokenBucket>(MAX_CALLERS);
  readonly #options: BucketOptions;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Takes a token of the caller and sets the headers. Throws RESOURCE_EXHAUSTED if none is left. */
  take(caller: string, reply: FastifyReply): void {
    const { policy, perSecond, windowSeconds, refusal } = this.#options;
    const bucket = this.#bucketOf(caller);
    const taken = bucket.tryRemoveTokens(1);
    const quota = bucket.bucketSize;
    const remaining = Math.floor(bucket.content);
    addRateLimitHeaders(reply, { policy, quota, windowSeconds, remaining, resetSeconds: 1 });
    if (!taken) throw quotaExceeded(reply, refusal(perSecond), { quota, resetSeconds: 1 });
  }

  /** Returns a token that should not have been taken. */
  giveBack(caller: string): void {
    const bucket = this.#bucketOf(caller);
    bucket.content = Math.min(bucket.bucketSize, bucket.content + 1);
  }

  #bucketOf(caller: string): TokenBucket {
    const { perSecond, windowSeconds, share } = this.#options;
    const size = Math.max(1, Math.round(perSecond * windowSeconds * share()));
    let bucket = this.#buckets.get(caller);
    if (!bucket) {
      bucket = new TokenBucket({
        bucketSize: size,
        tokensPerInterval: size,
        interval: windowSeconds * 1_000,
      });
      bucket.content = size;
      this.#buckets.set(caller, bucket);
    } else if (bucket.bucketSize !== size) {
      bucket.bucketSize = size;
      bucket.tokensPerInterval = size;
      bucket.content = Math.min(size, bucket.content);
    }
    return bucket;
  }
}

/**
 * Adds a quota to the `RateLimit` and `RateLimit-Policy` fields (draft-ietf-httpapi-ratelimit-headers-10), which have one
 * member for each quota.
 */
export function addRateLimitHeaders(
  reply: FastifyReply,
  { policy, quota, windowSeconds, remaining, resetSeconds }: QuotaState,
): void {
  const add = (name: string, member: string) => {
    const before = reply.getHeader(name);
    reply.header(name, before === undefined ? member : `${String(before)}, ${member}`);
  };
  add('ratelimit-policy', `"${policy}";q=${quota};w=${windowSeconds}`);
  add('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}

/** RESOURCE_EXHAUSTED, with the three header fields of earlier drafts, which many clients read. */
export function quotaExceeded(
  reply: FastifyReply,
  message: string,
  { quota, resetSeconds }: Pick<QuotaState, 'quota' | 'resetSeconds'>,
): ApiError {
  reply.header('ratelimit-limit', quota);
  reply.header('ratelimit-remaining', 0);
  reply.header('ratelimit-reset', resetSeconds);
  return resourceExhausted(message, resetSeconds);
}
