import type { Scope } from '../../lib/scope.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { type MemoryDeps, rankJudgments } from '../../memory/ranking/rank.ts';
import type { JudgmentFilters } from '../../shapes/memory/judgment.ts';
import {
  judgedAnnotationKey,
  judgedAnnotations,
  listJudgments,
  type StoredJudgment,
} from '../../store/memory/judgments.ts';
import type { UnmarkedEntry } from '../prompt/memory-entries.ts';
import { isFromInjectedPage } from './judged-subjects.ts';
import type { RecallScope } from './recall-scopes.ts';

/** Less similar judgments have nothing to do with the query. */
const MIN_SIMILARITY = 0.25;
const MAX_CONTENT = 500;

const BY_PEOPLE: JudgmentFilters = { judgeType: 'human' };

const PAST: Record<string, string> = {
  approve: 'approved',
  reject: 'rejected',
  comment: 'commented',
  resolve: 'resolved',
  in_progress: 'taken up',
  agree: 'agreed to',
  disagree: 'disagreed with',
  endorse: 'endorsed',
};

/** The latest judgments of people, from the narrowest scope to the widest. */
export const recentJudgments = (
  memory: MemoryDeps,
  scope: Scope,
  scopes: readonly RecallScope[],
  limit: number,
): Promise<StoredJudgment[]> =>
  fromScopes(memory, scope, scopes, limit, ({ place }) =>
    listJudgments(memory.db, scope, place, BY_PEOPLE, limit),
  );

/** Judgments of people by similarity to a query, from the narrowest scope to the widest. Throws `EmbedFailure`. */
export const similarJudgments = (
  memory: MemoryDeps,
  scope: Scope,
  scopes: readonly RecallScope[],
  { query, limit, signal }: { query: string; limit: number; signal: AbortSignal },
): Promise<StoredJudgment[]> =>
  fromScopes(memory, scope, scopes, limit, async ({ place }) => {
    const found: { judgment: StoredJudgment; similarity: number }[] = [];
    for (const kind of ['review', 'content'] as const) {
      const request = { query, kind, place, filters: BY_PEOPLE, limit, signal };
      found.push(...(await rankJudgments(memory, scope, request)).ranked);
    }
    return found
      .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
      .sort((a, b) => b.similarity - a.similarity)
      .map(({ judgment }) => judgment);
  });

/** Fills up to `limit` with the judgments of one scope after the other, one judgment for each annotation. */
async function fromScopes(
  { db }: MemoryDeps,
  scope: Scope,
  scopes: readonly RecallScope[],
  limit: number,
  list: (scope: RecallScope) => Promise<StoredJudgment[]>,
): Promise<StoredJudgment[]> {
  const found = new Map<string, StoredJudgment>();
  for (const recallScope of scopes) {
    if (found.size >= limit) break;
    const listed = await list(recallScope);
    const bodies = await judgedAnnotations(db, scope, listed);
    for (const judgment of listed) {
      if (isFromInjectedPage(judgment, bodies.get(judgedAnnotationKey(judgment)))) continue;
      const key = judgment.annotationId ?? judgment.judgmentId;
      if (!found.has(key)) found.set(key, judgment);
    }
  }
  return [...found.values()].slice(0, limit);
}

/** A judgment as a model reads it, without the name of the reviewer. */
export function judgmentEntry(judgment: StoredJudgment): UnmarkedEntry {
  const { judgmentId, decision, reasoning, content, contentType, createdAt } = judgment;
  const about = content?.trim() ? `“${shorten(content.trim(), MAX_CONTENT)}”` : 'something';
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return {
    kind: 'judgment',
    id: judgmentId,
    section: `a decision on ${contentType ?? 'content'}, ${day}`,
    text: `A reviewer ${PAST[decision] ?? decision} ${about}: ${reasoning}`,
  };
}
