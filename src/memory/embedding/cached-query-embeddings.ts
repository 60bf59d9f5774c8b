import type { Embedder, Embeddings } from '../../outside/embed/vectors/embedder.ts';

/** Memoizes query vectors, for callers that search several places for the same text. Failures are not cached. */
export const cacheQueryEmbeddings = (embeddings: Embeddings): Embeddings => {
  const cached = new Map<Embedder, Embedder>();
  const cachedOf = (embedder: Embedder): Embedder => {
    const known = cached.get(embedder) ?? memoizeQueries(embedder);
    cached.set(embedder, known);
    return known;
  };
  return {
    ...embeddings,
    current: cachedOf(embeddings.current),
    of(model) {
      const embedder = embeddings.of(model);
      return embedder && cachedOf(embedder);
    },
  };
};

function memoizeQueries(embedder: Embedder): Embedder {
  const vectors = new Map<string, Promise<Float32Array>>();
  return {
    model: embedder.model,
    embed: (texts, options) => embedder.embed(texts, options),
    embedQuery(text, options) {
      const known = vectors.get(text);
      if (known) return known;
      const made = embedder.embedQuery(text, options);
      vectors.set(text, made);
      made.catch(() => vectors.delete(text));
      return made;
    },
  };
}
