import { MIN_RELEVANCE, relevanceOf } from './relevance.ts';

/** Number of judgments whose neighbors are followed. */
const LINKS = 3;
/** Least relevance of a judgment whose neighbors are followed. */
const LINK_RELEVANCE = 0.7;
/** Similarity deducted from a judgment that is found by a link. */
const LINK_LOSS = 0.1;

export interface SearchedPlace {
  /** Number of judgments that pass the filters. */
  inScope: number;
  /** Cosine of the query and the nearer text of each candidate. */
  similarities: ReadonlyMap<string, number>;
}

/** A judgment that may be about the same thing as the query. */
export interface Relevant {
  judgmentId: string;
  similarity: number;
  /** `similarity`, raised if the judgment is similar to another one that is close to the query. */
  linkedSimilarity: number;
}

/** The nearer of two rankings' similarities for each judgment. */
export function nearerOf(
  rankings: readonly { scored: readonly { judgmentId: string; similarity: number }[] }[],
): Map<string, number> {
  const similarities = new Map<string, number>();
  for (const { scored } of rankings)
    for (const { judgmentId, similarity } of scored)
      similarities.set(judgmentId, Math.max(similarity, similarities.get(judgmentId) ?? -1));
  return similarities;
}

/** The judgments to be compared with each other for `relevantIn`. */
export function pairsToCompare(searched: readonly SearchedPlace[]): { from: string[]; to: string[] } {
  const from = [...new Set(searched.flatMap(linksIn).map(([judgmentId]) => judgmentId))];
  const to = from.length === 0 ? [] : searched.flatMap(({ similarities }) => [...similarities.keys()]);
  return { from, to: [...new Set(to)] };
}

/** The judgments of a place that are most relevant, whose neighbors are followed. */
const linksIn = ({ similarities, inScope }: SearchedPlace): [string, number][] =>
  [...similarities]
    .filter(([, similarity]) => relevanceOf(similarity, inScope) >= LINK_RELEVANCE)
    .sort(([, one], [, other]) => other - one)
    .slice(0, LINKS);

/**
 * The relevant judgments of each place. Similarities are raised for candidates that are close to a highly relevant one:
 * the query and a judgment may use different words for the same thing, and a third judgment both. `compared` has the
 * similarities of `pairsToCompare`, `to.length` for each of `from`.
 */
export function relevantIn(
  searched: readonly SearchedPlace[],
  { from, to }: { from: readonly string[]; to: readonly string[] },
  compared: Float64Array,
): Relevant[][] {
  const [rowOf, columnOf] = [from, to].map((ids) => new Map(ids.map((id, at) => [id, at]))) as [
    Map<string, number>,
    Map<string, number>,
  ];
  return searched.map((place) => {
    const links = linksIn(place);
    return [...place.similarities].flatMap(([judgmentId, similarity]): Relevant[] => {
      let linkedSimilarity = similarity;
      for (const [link, ofLink] of links) {
        const between = compared[rowOf.get(link)! * to.length + columnOf.get(judgmentId)!]!;
        const linked = Math.min(ofLink, between) - LINK_LOSS;
        if (linked > linkedSimilarity) linkedSimilarity = linked;
      }
      return relevanceOf(linkedSimilarity, place.inScope) >= MIN_RELEVANCE
        ? [{ judgmentId, similarity, linkedSimilarity }]
        : [];
    });
  });
}
