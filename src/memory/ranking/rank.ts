import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Embeddings } from '../../outside/embed/vectors/embedder.ts';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import { judgmentsById, type StoredJudgment } from '../../store/memory/judgments.ts';
import { queryVector } from '../embedding/query-vectors.ts';
import type { TextKind } from '../embedding/searchable-text.ts';
import type { Ranking } from '../scoring/packed-ranking.ts';
import { queryWords } from '../scoring/ranking-score.ts';
import type { Scorer } from '../scoring/scorer.ts';
import { type Preselection, preselectJudgments } from './preselect-judgments.ts';

/** Dependencies of a search of the memory. */
export interface MemoryDeps {
  db: Db;
  embeddings: Embeddings;
  scorer: Scorer;
  /** Number of judgments from which an index preselects those to compare, if there is one. Default: 100,000. */
  large?: number;
}

export interface RankRequest {
  query: string;
  /**
   * Which text of a judgment the query is compared with: decision and reasoning (`review`), or the reviewed text
   * (`content`).
   */
  kind: TextKind;
  place: MemoryPlace;
  filters: JudgmentFilters;
  limit: number;
  signal?: AbortSignal | undefined;
}

export interface Ranked {
  judgment: StoredJudgment;
  /** Cosine of the query and the nearest window, -1 to 1; 0 without a vector to compare with. */
  similarity: number;
  /** Cosine plus word bonuses, the sort key. Comparable within one answer only. */
  score: number;
}

/**
 * The entry point of a search: ranks the judgments of a place by relevance to a query, and counts those that pass the
 * filters. Throws `EmbedFailure` if the query cannot be embedded.
 */
export async function rankJudgments(
  deps: MemoryDeps,
  scope: Scope,
  request: RankRequest,
): Promise<{ ranked: Ranked[]; totalInScope: number }> {
  const { scored, total } = await rankIds(deps, scope, request);
  const { place, filters } = request;
  const ids = scored.map(({ judgmentId }) => judgmentId);
  const judgments = await judgmentsById(deps.db, scope, place, filters, ids);
  return {
    // Judgments that were revoked since the ranking are missing.
    ranked: scored.flatMap(({ judgmentId, similarity, score }) => {
      const judgment = judgments.get(judgmentId);
      return judgment ? [{ judgment, similarity, score }] : [];
    }),
    totalInScope: total,
  };
}

/**
 * Ranks like `rankJudgments`, without reading the judgments. Every judgment is scored by the formula of
 * `scoring/ranking-score.ts` in a worker thread, unless there are so many that indexes preselect candidates.
 */
export async function rankIds(
  { db, embeddings, scorer, large }: MemoryDeps,
  scope: Scope,
  { query, kind, place, filters, limit, signal }: RankRequest,
): Promise<Pick<Ranking, 'scored' | 'total'>> {
  const { current } = embeddings;
  const words = queryWords(query);
  const own = { model: current.model, vector: await queryVector(current, scope, query, signal) };

  const rank = async (preselected: Preselection | undefined): Promise<Ranking> => {
    const question = { apiKeyId: scope.apiKeyId, place, filters, kind, words, limit, preselected };
    const ranking = await scorer.rank({ ...question, vectors: [own] }, signal);
    // During a change of the model, judgments still have vectors of the earlier one: the query is embedded by both.
    const earlier = ranking.models.flatMap((model) =>
      model === '' || model === current.model ? [] : (embeddings.of(model) ?? []),
    );
    if (earlier.length === 0) return ranking;
    const others = earlier.map(async (embedder) => ({
      model: embedder.model,
      vector: await queryVector(embedder, scope, query, signal),
    }));
    return await scorer.rank({ ...question, vectors: [own, ...(await Promise.all(others))] }, signal);
  };

  const filtered = { scope, place, filters };
  const preselected = await preselectJudgments(db, filtered, { kind, words, limit }, own, large);
  signal?.throwIfAborted();
  const ranking = await rank(preselected);
  return preselected && ranking.scored.length < Math.min(limit, preselected.counts.total)
    ? await rank(undefined)
    : ranking;
}
