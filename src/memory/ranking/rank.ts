import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Embeddings } from '../../outside/embed/embedder.ts';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import { judgmentsById, type StoredJudgment } from '../../store/memory/judgments.ts';
import type { TextKind } from '../embedding/judgment-text.ts';
import { queryWords } from '../scoring/ranking-score.ts';
import type { Ranking, Scorer } from '../scoring/scorer.ts';
import { countIfLarge, findLikely, type Likely } from './likely-judgments.ts';

/** What memory is asked with. */
export interface MemoryDeps {
  db: Db;
  embeddings: Embeddings;
  scorer: Scorer;
  /** With more than so many judgments an index says which are compared, where there is one. By default 100,000. */
  large?: number;
}

export interface RankRequest {
  query: string;
  /** Compared with the decision and its reasoning, or with what was reviewed. */
  kind: TextKind;
  place: MemoryPlace;
  filters: JudgmentFilters;
  limit: number;
  signal?: AbortSignal | undefined;
}

export interface Ranked {
  judgment: StoredJudgment;
  /** Plain cosine of the query and the nearest window, -1 to 1; 0 where there is no vector to compare with. */
  similarity: number;
  /** What the order follows: meaning and words together. Only good for comparing within one answer. */
  score: number;
}

/**
 * The judgments of a place that speak of what is asked for, best first, and how many there are in the place after
 * filters. Each of them is filtered at, so that nothing is missed; where they are too many for that, those that
 * indexes find. Throws `EmbedFailure` where the query cannot be turned into a vector.
 */
export async function rankJudgments(
  { db, embeddings, scorer, large }: MemoryDeps,
  scope: Scope,
  { query, kind, place, filters, limit, signal }: RankRequest,
): Promise<{ ranked: Ranked[]; totalInScope: number }> {
  const { current } = embeddings;
  const words = queryWords(query);
  const own = { model: current.model, vector: await current.embedQuery(query, signal && { signal }) };

  const rank = async (likely: Likely | undefined): Promise<Ranking> => {
    const question = { apiKeyId: scope.apiKeyId, place, filters, kind, words, limit, likely };
    const ranking = await scorer.rank({ ...question, vectors: [own] }, signal);
    // While another model takes over, each part is compared with what its own model makes of the query.
    const earlier = ranking.models.flatMap((model) =>
      model === '' || model === current.model ? [] : (embeddings.of(model) ?? []),
    );
    if (earlier.length === 0) return ranking;
    const others = earlier.map(async (embedder) => ({
      model: embedder.model,
      vector: await embedder.embedQuery(query, signal && { signal }),
    }));
    return await scorer.rank({ ...question, vectors: [own, ...(await Promise.all(others))] }, signal);
  };

  const filtered = { scope, place, filters };
  const many = await countIfLarge(db, filtered, kind, own, large);
  const likely =
    many === undefined ? undefined : await findLikely(db, filtered, { kind, words, limit }, own, many);
  signal?.throwIfAborted();
  let ranking = await rank(likely);
  if (likely && ranking.scored.length < Math.min(limit, likely.counts.total)) ranking = await rank(undefined);
  const judgments = await judgmentsById(
    db,
    scope,
    place,
    filters,
    ranking.scored.map(({ judgmentId }) => judgmentId),
  );
  return {
    // One that was revoked in between is gone.
    ranked: ranking.scored.flatMap(({ judgmentId, similarity, score }) => {
      const judgment = judgments.get(judgmentId);
      return judgment ? [{ judgment, similarity, score }] : [];
    }),
    totalInScope: ranking.total,
  };
}
