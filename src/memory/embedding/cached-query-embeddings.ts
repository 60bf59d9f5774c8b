import type { Embedder, Embeddings } from '../../outside/embed/embedder.ts';

/**
 * The same embeddings, which make the vector of a query once however often it is asked for: for whoever looks for one
 * thing in several places. What fails is tried again.
 */
export const cacheQueryEmbeddings = (embeddings: Embeddings): Embeddings => {
  const known = new Map<Embedder, Embedder>();
  const once = (embedder: Embedder): Embedder => {
    const there = known.get(embedder) ?? remembering(embedder);
    known.set(embedder, there);
    return there;
  };
  return {
    ...embeddings,
    current: once(embeddings.current),
    of(model) {
      const embedder = embeddings.of(model);
      return embedder && once(embedder);
    },
  };
};

function remembering(embedder: Embedder): Embedder {
  const vectors = new Map<string, Promise<Float32Array>>();
  return {
    model: embedder.model,
    embed: (texts, options) => embedder.embed(texts, options),
    embedQuery(text, options) {
      const there = vectors.get(text);
      if (there) return there;
      const made = embedder.embedQuery(text, options);
      vectors.set(text, made);
      made.catch(() => vectors.delete(text));
      return made;
    },
  };
}
