import { EmbedFailure } from '../vectors/embedder.ts';
import { normalise } from '../vectors/mean-vector.ts';

/** Above the dimension of every model. */
const MAX_DIMENSION = 16_000;

/**
 * Turns a provider's response into normalised vectors in the order of the request. `body` is the raw response. Throws
 * `EmbedFailure` (`rejected`) for an invalid response.
 */
export function readVectors(
  embeddings: readonly (readonly number[])[],
  body: unknown,
  asked: number,
): Float32Array[] {
  if (embeddings.length !== asked) {
    throw new EmbedFailure('rejected', 'The provider gave another number of vectors than it was asked for.');
  }
  const ordered = inOrder(embeddings, body);
  const [first] = ordered;
  return ordered.map((numbers) => {
    const vector = normalise(Float32Array.from(numbers));
    const isOne = vector.every(Number.isFinite) && vector.some((number) => number !== 0);
    if (!isOne || numbers.length !== first!.length || numbers.length > MAX_DIMENSION) {
      throw new EmbedFailure('rejected', 'The provider gave something that is no vector.');
    }
    return vector;
  });
}

/** Sorts by the `index` of the raw response: compatible servers may answer out of order, which the client ignores. */
function inOrder(embeddings: readonly (readonly number[])[], body: unknown): readonly (readonly number[])[] {
  const { data } = (body ?? {}) as { data?: { index?: unknown }[] };
  const places = Array.isArray(data) ? data.map((item) => item?.index) : [];
  const ordered: (readonly number[])[] = [];
  for (const [at, place] of places.entries()) ordered[Number(place)] = embeddings[at]!;
  const isComplete = ordered.length === embeddings.length && !ordered.includes(undefined as never);
  return isComplete ? ordered : embeddings;
}
