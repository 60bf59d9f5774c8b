import { dotProduct } from '../../lib/vectors.ts';

/** A decision to be predicted from older ones. */
export interface PastDecision {
  judgmentId: string;
  side: 'approve' | 'reject';
}

const NEIGHBORS = 5;
/** Minimum similarity of a neighbor. */
const MIN_SIMILARITY = 0.4;
/** Minimum number of predictions for a meaningful accuracy. */
const MIN_TRIES = 10;

/**
 * Share of a reviewer's decisions that a nearest-neighbor vote of their older decisions predicts, 0 to 1; null with
 * too few predictions. Decisions come newest first.
 */
export function predictionAccuracy(
  decisions: readonly PastDecision[],
  vectors: ReadonlyMap<string, Float32Array>,
): number | null {
  let tries = 0;
  let right = 0;
  const known = decisions.flatMap((one) => {
    const vector = vectors.get(one.judgmentId);
    return vector ? [{ ...one, vector }] : [];
  });
  for (const [index, { side, vector }] of known.entries()) {
    const near = known
      .slice(index + 1)
      .map((older) => ({ side: older.side, similarity: dotProduct(older.vector, vector) }))
      .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, NEIGHBORS);
    const leaning = near.reduce(
      (all, one) => all + (one.side === 'approve' ? one.similarity : -one.similarity),
      0,
    );
    if (leaning === 0) continue;
    tries += 1;
    if (leaning > 0 === (side === 'approve')) right += 1;
  }
  return tries < MIN_TRIES ? null : right / tries;
}
