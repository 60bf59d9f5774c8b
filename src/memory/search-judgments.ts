import type { Scope } from '../lib/scope.ts';
import type { JudgmentFilters, JudgmentRecord, MemoryPlace } from '../shapes/memory/judgment.ts';
import {
  countJudgments,
  judgmentRecordOf,
  listJudgments,
  type StoredJudgment,
} from '../store/memory/judgments.ts';
import { embedApiError } from './embedding/embed-api-error.ts';
import type { TextKind } from './embedding/judgment-text.ts';
import { type MemoryDeps, rankJudgments } from './ranking/rank.ts';

export interface SearchRequest {
  query: string;
  kind: TextKind;
  place: MemoryPlace;
  filters: JudgmentFilters;
  /** True to return the newest judgments, without ranking. */
  byTime: boolean;
  limit: number;
}

export type FoundJudgment = JudgmentRecord & { similarity: number };

/**
 * Searches the judgments of a place: one thread in order of time, the newest, or the most relevant to the query. Counts
 * all that pass the filters. Throws an `ApiError` if the query cannot be embedded.
 */
export async function searchJudgments(
  deps: MemoryDeps,
  scope: Scope,
  { query, kind, place, filters, byTime, limit }: SearchRequest,
): Promise<{ results: FoundJudgment[]; totalInScope: number }> {
  if (filters.annotationId === undefined && !byTime) {
    const { ranked, totalInScope } = await rankJudgments(deps, scope, {
      query,
      kind,
      place,
      filters,
      limit,
    }).catch((error: unknown) => {
      throw embedApiError(error);
    });
    return {
      results: ranked.map(({ judgment, similarity }) => toResult(judgment, similarity)),
      totalInScope,
    };
  }
  const order = filters.annotationId === undefined ? 'desc' : 'asc';
  const [rows, totalInScope] = await Promise.all([
    listJudgments(deps.db, scope, place, filters, limit, order),
    countJudgments(deps.db, scope, place, filters),
  ]);
  return { results: rows.map((row) => toResult(row, 1)), totalInScope };
}

const toResult = (judgment: StoredJudgment, similarity: number): FoundJudgment => ({
  ...judgmentRecordOf(judgment),
  similarity,
});
