import { EmbedFailure } from '../vectors/embedder.ts';
import { ofLengthOne } from '../vectors/mean-vector.ts';

/** Longer than those of any model. */
const MOST_NUMBERS = 16_000;

/**
 * What a provider answered, as vectors of length one in the order of what was asked. `body` is the answer as it came.
 * Throws `EmbedFailure` (`rejected`) for an answer that does not hold that.
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
    const vector = ofLengthOne(Float32Array.from(numbers));
    const isOne = vector.every(Number.isFinite) && vector.some((number) => number !== 0);
    if (!isOne || numbers.length !== first!.length || numbers.length > MOST_NUMBERS) {
      throw new EmbedFailure('rejected', 'The provider gave something that is no vector.');
    }
    return vector;
  });
}

/** Compatible servers may answer in another order, and say so, which the client passes over. */
function inOrder(embeddings: readonly (readonly number[])[], body: unknown): readonly (readonly number[])[] {
  const { data } = (body ?? {}) as { data?: { index?: unknown }[] };
  const places = Array.isArray(data) ? data.map((item) => item?.index) : [];
  const ordered: (readonly number[])[] = [];
  for (const [at, place] of places.entries()) ordered[Number(place)] = embeddings[at]!;
  const isComplete = ordered.length === embeddings.length && !ordered.includes(undefined as never);
  return isComplete ? ordered : embeddings;
}
