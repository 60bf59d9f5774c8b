import type { FastifyReply } from 'fastify';
import { TokenBucket } from 'limiter';
import { LRUCache } from 'lru-cache';
import { type ApiError, resourceExhausted } from '../../lib/errors.ts';

/** What a caller has left of a quota, as the header fields say it. */
interface Standing {
  /** Names the quota. */
  policy: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Until there is some, or all, again. */
  resetSeconds: number;
}

interface Options {
  /** Names the quota in the header fields. */
  policy: string;
  perSecond: number;
  /** A caller may send as much at once as in so many seconds. */
  windowSeconds: number;
  /** The part of `perSecond` that this process gives out, above 0 and up to 1. */
  share(): number;
  refusal(perSecond: number): string;
}

/** Callers that are remembered; one that is forgotten begins with a full bucket. */
const MAX_CALLERS = 50_000;

/** A token bucket for each caller, refilled within a window with as much as it holds. */
export class RateLimits {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: MAX_CALLERS });
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes a token of the caller's and says so in the reply; throws RESOURCE_EXHAUSTED where none is left. */
  take(caller: string, reply: FastifyReply): void {
    const { policy, perSecond, windowSeconds, refusal } = this.#options;
    const bucket = this.#bucketOf(caller);
    const taken = bucket.tryRemoveTokens(1);
    const quota = bucket.bucketSize;
    const remaining = Math.floor(bucket.content);
    showStanding(reply, { policy, quota, windowSeconds, remaining, resetSeconds: 1 });
    if (!taken) throw overQuota(reply, refusal(perSecond), { quota, resetSeconds: 1 });
  }

  /** Gives a token back that should not have counted. */
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
 * Adds a quota to the `RateLimit` and `RateLimit-Policy` fields (draft-ietf-httpapi-ratelimit-headers-10), which hold
 * one member for each quota that applies.
 */
export function showStanding(
  reply: FastifyReply,
  { policy, quota, windowSeconds, remaining, resetSeconds }: Standing,
): void {
  const add = (name: string, member: string) => {
    const before = reply.getHeader(name);
    reply.header(name, before === undefined ? member : `${String(before)}, ${member}`);
  };
  add('ratelimit-policy', `"${policy}";q=${quota};w=${windowSeconds}`);
  add('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}

/** The refusal, with the three fields of earlier drafts beside it, which many clients read. */
export function overQuota(
  reply: FastifyReply,
  message: string,
  { quota, resetSeconds }: Pick<Standing, 'quota' | 'resetSeconds'>,
): ApiError {
  reply.header('ratelimit-limit', quota);
  reply.header('ratelimit-remaining', 0);
  reply.header('ratelimit-reset', resetSeconds);
  return resourceExhausted(message, resetSeconds);
}
