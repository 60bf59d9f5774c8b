import { createHash } from 'node:crypto';
import type { RestRequest } from './rest-api-request.ts';

export interface RestResponse {
  status: number;
  contentType: string;
  body: Uint8Array;
  truncated: boolean;
}

const MAX_BYTES = 32_000_000;
const MAX_ENTRIES = 500;
/** Overhead of an entry, so that empty answers count as well. */
const ENTRY_BYTES = 500;

export interface RestCache {
  /** The cached answer, if it is younger than `maxAgeMs`. */
  get(key: string, maxAgeMs: number): RestResponse | undefined;
  put(key: string, answer: RestResponse): void;
}

/** An LRU cache bounded by count and size. */
export function createRestCache(maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES): RestCache {
  const entries = new Map<string, { answer: RestResponse; at: number }>();
  let bytes = 0;
  const sizeOf = ({ body }: RestResponse) => body.byteLength + ENTRY_BYTES;
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

/** Hash of everything that the answer depends on, the tenant included, so that tenants never share an answer. */
export const cacheKey = (scope: string, request: RestRequest, maxBytes: number): string => {
  const { method, url, headers, body = null } = request;
  const asked = [scope, method, url, Object.entries(headers).sort(), body, maxBytes];
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64');
};

/** The cache of this process. */
export const restCache = createRestCache();
