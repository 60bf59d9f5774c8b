import type { Scope } from '../../lib/scope.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { type MemoryDeps, rankJudgments } from '../../memory/ranking/rank.ts';
import type { JudgmentFilters } from '../../shapes/memory/judgment.ts';
import { listJudgments, type StoredJudgment } from '../../store/memory/judgments.ts';
import { annotationKey, judgedAnnotations } from '../../store/memory/judgments-among.ts';
import type { UnmarkedEntry } from '../prompt/memory-entries.ts';
import { isPoisoned } from './is-poisoned.ts';
import type { RunPlace } from './memory-scopes.ts';

/** Below this, a judgment has nothing to do with what is asked for. */
const LEAST_SIMILARITY = 0.25;
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

/** What people decided lately, the newest of the narrowest place first. */
export const recentJudgments = (
  recall: MemoryDeps,
  scope: Scope,
  places: readonly RunPlace[],
  limit: number,
) =>
  fromPlaces(recall, scope, places, limit, ({ place }) =>
    listJudgments(recall.db, scope, place, BY_PEOPLE, limit),
  );

/** What people decided on matters like those that are asked for, of the narrowest place first. Throws `EmbedFailure`. */
export const similarJudgments = (
  recall: MemoryDeps,
  scope: Scope,
  places: readonly RunPlace[],
  { query, limit, signal }: { query: string; limit: number; signal: AbortSignal },
): Promise<StoredJudgment[]> =>
  fromPlaces(recall, scope, places, limit, async ({ place }) => {
    const kinds = ['review', 'content'] as const;
    const found: { judgment: StoredJudgment; similarity: number }[] = [];
    for (const kind of kinds) {
      const request = { query, kind, place, filters: BY_PEOPLE, limit, signal };
      found.push(...(await rankJudgments(recall, scope, request)).ranked);
    }
    return found
      .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
      .sort((one, other) => other.similarity - one.similarity)
      .map(({ judgment }) => judgment);
  });

async function fromPlaces(
  { db }: MemoryDeps,
  scope: Scope,
  places: readonly RunPlace[],
  limit: number,
  list: (place: RunPlace) => Promise<StoredJudgment[]>,
): Promise<StoredJudgment[]> {
  const found = new Map<string, StoredJudgment>();
  for (const place of places) {
    if (found.size >= limit) break;
    const listed = await list(place);
    const bodies = await judgedAnnotations(db, scope, listed);
    for (const judgment of listed) {
      // What a page that gives orders to its reviewer led to is no example.
      if (isPoisoned(judgment, bodies.get(annotationKey(judgment)))) continue;
      const about = judgment.annotationId ?? judgment.judgmentId;
      if (!found.has(about)) found.set(about, judgment);
    }
  }
  return [...found.values()].slice(0, limit);
}

/** A judgment as a model reads it, without the name of whoever decided. */
export function rememberedJudgment(judgment: StoredJudgment): UnmarkedEntry {
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
