import type { Relevant } from './links.ts';
import type { Scored } from './ranking-score.ts';

export interface Ranking {
  /** Best first. */
  scored: Scored[];
  total: number;
  /** Models of the ranked judgments' vectors; an empty name stands for judgments without one. */
  models: string[];
}

/** A ranking as it crosses threads: copying an object per judgment takes longer than scoring it. */
export interface PackedRanking {
  ids: string[];
  /** Similarity and score of each id. */
  numbers: Float64Array;
  total: number;
  models: string[];
}

export function pack({ scored, total, models }: Ranking): PackedRanking {
  const numbers = new Float64Array(2 * scored.length);
  for (const [at, { similarity, score }] of scored.entries()) {
    numbers[2 * at] = similarity;
    numbers[2 * at + 1] = score;
  }
  return { ids: scored.map(({ judgmentId }) => judgmentId), numbers, total, models };
}

export const unpack = ({ ids, numbers, total, models }: PackedRanking): Ranking => ({
  scored: ids.map((judgmentId, at) => ({
    judgmentId,
    similarity: numbers[2 * at]!,
    score: numbers[2 * at + 1]!,
  })),
  total,
  models,
});

/** The relevant judgments of a place. */
export interface RankedPlace {
  /** Number of judgments that pass the filters. */
  inScope: number;
  relevant: Relevant[];
}

export interface PackedPlace {
  inScope: number;
  ids: string[];
  /** Similarity and linked similarity of each id. */
  numbers: Float64Array;
}

export function packPlace({ inScope, relevant }: RankedPlace): PackedPlace {
  const numbers = new Float64Array(2 * relevant.length);
  for (const [at, { similarity, linkedSimilarity }] of relevant.entries()) {
    numbers[2 * at] = similarity;
    numbers[2 * at + 1] = linkedSimilarity;
  }
  return { inScope, ids: relevant.map(({ judgmentId }) => judgmentId), numbers };
}

export const unpackPlace = ({ inScope, ids, numbers }: PackedPlace): RankedPlace => ({
  inScope,
  relevant: ids.map((judgmentId, at) => ({
    judgmentId,
    similarity: numbers[2 * at]!,
    linkedSimilarity: numbers[2 * at + 1]!,
  })),
});
