import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Scope } from '../../lib/scope.ts';
import type { Embedder } from '../../outside/embed/vectors/embedder.ts';

/** Limit of the vectors of one model: about 2,700 of the local one, which take 1.5 kB each. */
const MAX_BYTES = 4 * 1024 * 1024;

const vectorsOf = new WeakMap<Embedder, LRUCache<string, Float32Array>>();

/**
 * The vector of a query, from a cache of recent ones: searches repeat each other, and embedding takes longer than the
 * rest of a search. The cache tells API keys apart although equal texts have equal vectors, since the duration of a
 * search would show whether another key has searched for the same text. Throws `EmbedFailure`.
 */
export async function queryVector(
  embedder: Embedder,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  query: string,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const known = vectorsOf.get(embedder) ?? new LRUCache({ maxSize: MAX_BYTES, sizeCalculation: bytesOf });
  vectorsOf.set(embedder, known);
  // A hash, so that texts of callers do not stay in memory.
  const key = createHash('sha256')
    .update(JSON.stringify([apiKeyId, query]))
    .digest('base64');
  const found = known.get(key);
  if (found) return found;
  const made = await embedder.embedQuery(query, signal && { signal });
  known.set(key, made);
  return made;
}

const bytesOf = ({ byteLength }: Float32Array): number => byteLength;
