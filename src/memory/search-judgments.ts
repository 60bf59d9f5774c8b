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
  /** What was decided lately, whatever it speaks of. */
  byTime: boolean;
  limit: number;
}

export type FoundJudgment = JudgmentRecord & { similarity: number };

/**
 * Judgments of a place that pass the filters, and how many there are: one thread, oldest first; what is newest; or
 * what speaks of the query, best first. Throws an `ApiError` where the query cannot be turned into a vector.
 */
export async function searchJudgments(
  recall: MemoryDeps,
  scope: Scope,
  { query, kind, place, filters, byTime, limit }: SearchRequest,
): Promise<{ results: FoundJudgment[]; totalInScope: number }> {
  if (filters.annotationId === undefined && !byTime) {
    const { ranked, totalInScope } = await rankJudgments(recall, scope, {
      query,
      kind,
      place,
      filters,
      limit,
    }).catch((error: unknown) => {
      throw embedApiError(error);
    });
    return { results: ranked.map(({ judgment, similarity }) => found(judgment, similarity)), totalInScope };
  }
  const order = filters.annotationId === undefined ? 'desc' : 'asc';
  const [rows, totalInScope] = await Promise.all([
    listJudgments(recall.db, scope, place, filters, limit, order),
    countJudgments(recall.db, scope, place, filters),
  ]);
  return { results: rows.map((row) => found(row, 1)), totalInScope };
}

const found = (judgment: StoredJudgment, similarity: number): FoundJudgment => ({
  ...judgmentRecordOf(judgment),
  similarity,
});
