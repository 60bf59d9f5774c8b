/** Minimum relevance of a precedent. */
export const MIN_RELEVANCE = 0.5;

/**
 * Logistic fit of relevance over similarity, made with the local model on the topics of `bench/memory-topics.ts`:
 * `half` is the similarity at which relevance is a half, `growth` its increase with the logarithm of the number of
 * judgments (more of them are similar by chance), `width` the scale of the curve.
 */
const RELEVANCE_FIT = { half: 0.31, growth: 0.02, width: 0.045 };

/** Probability that a judgment is about the same thing as the query. */
export const relevanceOf = (linkedSimilarity: number, inScope: number): number => {
  const half = RELEVANCE_FIT.half + RELEVANCE_FIT.growth * Math.log(Math.max(1, inScope));
  return 1 / (1 + Math.exp(-(linkedSimilarity - half) / RELEVANCE_FIT.width));
};
