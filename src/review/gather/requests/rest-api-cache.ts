import { createHash } from 'node:crypto';
import type { RestRequest } from './rest-api-request.ts';

/** What an endpoint said, as it is kept. */
export interface RestAnswer {
  status: number;
  contentType: string;
  body: Uint8Array;
  truncated: boolean;
}

const MAX_BYTES = 32_000_000;
const MAX_ENTRIES = 500;
/** For the rest of an entry, so that empty answers count for something. */
const ENTRY_BYTES = 500;

export interface RestCache {
  /** What was answered no longer ago than so many milliseconds. */
  get(key: string, maxAgeMs: number): RestAnswer | undefined;
  put(key: string, answer: RestAnswer): void;
}

/** Keeps the latest answers within bounds of count and size; what was not used for the longest time goes first. */
export function createRestCache(maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES): RestCache {
  const entries = new Map<string, { answer: RestAnswer; at: number }>();
  let bytes = 0;
  const sizeOf = ({ body }: RestAnswer) => body.byteLength + ENTRY_BYTES;
  const drop = (key: string) => {
    const entry = entries.get(key);
    if (!entry) return;
    bytes -= sizeOf(entry.answer);
    entries.delete(key);
  };
  return {
    get(key, maxAgeMs) {
      const entry = entries.get(key);
      if (!entry || performance.now() - entry.at >= maxAgeMs) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.answer;
    },
    put(key, answer) {
      drop(key);
      if (sizeOf(answer) > maxBytes) return;
      entries.set(key, { answer, at: performance.now() });
      bytes += sizeOf(answer);
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes && entries.size <= maxEntries) break;
        drop(oldest);
      }
    },
  };
}

/** Of everything that makes the answer: who asks comes first, so that tenants never share one. */
export const cacheKey = (scope: string, request: RestRequest, maxBytes: number): string => {
  const { method, url, headers, body = null } = request;
  const asked = [scope, method, url, Object.entries(headers).sort(), body, maxBytes];
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64');
};

/** Of this process. */
export const restCache = createRestCache();
