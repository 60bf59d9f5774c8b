import type { Scope } from '../../lib/scope.ts';
import { dotProduct } from '../../lib/vectors.ts';
import type { MemoryDeps } from '../../memory/ranking/rank.ts';
import type { Embedder } from '../../outside/embed/embedder.ts';
import { countJudgmentsAmong } from '../../store/memory/judgments-among.ts';
import { type ListedPattern, listPatterns } from '../../store/memory/patterns.ts';
import type { UnmarkedEntry } from '../prompt/memory-entries.ts';

const MAX_LISTED = 100;

/**
 * The patterns that a run of an organization may know of, the newest first. One that holds across the API key quotes
 * judgments of several organizations, and counts only where none of those is another one's.
 */
export async function knownPatterns(
  { db }: MemoryDeps,
  scope: Scope,
  organizationId: string,
): Promise<ListedPattern[]> {
  const listed = await listPatterns(db, scope, { organizationId }, MAX_LISTED);
  const known: ListedPattern[] = [];
  for (const pattern of listed) {
    const quoted = pattern.topSourceRecordIds ?? [];
    const isOwn =
      pattern.scope === 'org' || (quoted.length > 0 && (await allQuoted(db, scope, organizationId, quoted)));
    if (isOwn) known.push(pattern);
  }
  return known;
}

const allQuoted = async (
  db: MemoryDeps['db'],
  scope: Scope,
  organizationId: string,
  recordIds: readonly string[],
): Promise<boolean> =>
  (await countJudgmentsAmong(db, scope, recordIds, ['', organizationId])) === recordIds.length;

/** A pattern with its vector, so that each page of a run can be compared with it. */
export interface PlacedPattern {
  pattern: ListedPattern;
  vector: Float32Array;
}

/** Throws `EmbedFailure`. */
export async function placePatterns(
  patterns: readonly ListedPattern[],
  embedder: Embedder,
): Promise<PlacedPattern[]> {
  const placed: PlacedPattern[] = [];
  for (const pattern of patterns)
    placed.push({ pattern, vector: await embedder.embedQuery(pattern.description) });
  return placed;
}

/** Those nearest to any of the queries, nearest first. */
export const nearestPatterns = (
  placed: readonly PlacedPattern[],
  queries: readonly Float32Array[],
  limit: number,
): ListedPattern[] =>
  placed
    .map(({ pattern, vector }) => ({
      pattern,
      nearness: Math.max(...queries.map((query) => dotProduct(query, vector))),
    }))
    .sort((one, other) => other.nearness - one.nearness)
    .slice(0, limit)
    .map(({ pattern }) => pattern);

export const rememberedPattern = ({ patternId, description, sourceCount }: ListedPattern): UnmarkedEntry => ({
  kind: 'pattern',
  id: patternId,
  section: `a pattern of ${sourceCount} decisions`,
  text: description,
});
