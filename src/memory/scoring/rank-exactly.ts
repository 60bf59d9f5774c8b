import { dotProduct, magnitude } from '../../lib/vectors.ts';
import type { QueryVector } from '../../store/memory/judgment-candidates.ts';
import type { JudgmentCache } from './judgment-cache.ts';
import type { Ranking } from './packed-ranking.ts';
import { byScore, clamp, type ScoredAt, scoreOf } from './ranking-score.ts';
import { type Contender, Highest, type Scan } from './scan-cache.ts';
import type { RankingQuery } from './scorer.ts';

/** Ranks scanned judgments by the exact vectors of the cache; undefined if the cache lacks some of them. */
export function rankExactly(
  cache: JudgmentCache,
  { vectors, limit }: Pick<RankingQuery, 'vectors' | 'limit'>,
  { counts, models, contenders }: Scan,
): Ranking | undefined {
  const similarityOf = exactSimilarity(cache, vectors);
  const leading = new Highest(limit);
  const compared: (Contender & { similarity: number; score: number })[] = [];
  for (const one of contenders) {
    // Contenders are sorted by their upper bound: no later one can enter the top.
    if (scoreOf(one.upperBound, one.bonus) < leading.lowest) break;
    const similarity = similarityOf(one);
    if (similarity === undefined) return undefined;
    const score = scoreOf(similarity, one.bonus);
    leading.add(score);
    if (score >= leading.lowest) compared.push({ ...one, similarity, score });
  }
  const scored = compared
    .filter(({ score }) => score >= leading.lowest)
    .map(({ number, similarity, score }): ScoredAt => {
      const createdAt = cache.createdAt.values[number]!;
      return { judgmentId: cache.ids.text(number), createdAt, similarity, score };
    })
    .sort(byScore)
    .slice(0, limit)
    .map(({ createdAt: _, ...one }) => one);
  return { scored, total: counts.total, models };
}

/** Cosine of a contender's nearest window; undefined if the cache lacks its vectors, and 0 without any to compare. */
function exactSimilarity(
  cache: JudgmentCache,
  vectors: readonly QueryVector[],
): (contender: Contender) => number | undefined {
  const queries = cache.sets.map((set) => {
    const found = vectors.find(
      ({ model, vector }) => set?.dimensions === vector.length && cache.names.text(set.model) === model,
    );
    return found && { vector: found.vector, length: magnitude(found.vector) };
  });
  const [setOf, firstOf, rowsOf] = [cache.set.values, cache.row.values, cache.rows.values];
  return ({ number, lowerBound, upperBound }) => {
    // A judgment without vectors to compare.
    if (lowerBound === upperBound) return 0;
    const place = setOf[number]!;
    const { exact, length, dimensions } = cache.sets[place]!;
    if (!exact) return undefined;
    const query = queries[place];
    if (!query) return 0;
    let highest = -1;
    const first = firstOf[number]!;
    for (let row = first; row < first + rowsOf[number]!; row++) {
      const product = dotProduct(query.vector, exact.values, row * dimensions);
      const cosine = product === 0 ? 0 : product / (query.length * length.values[row]!);
      if (cosine > highest) highest = cosine;
    }
    return clamp(highest);
  };
}
