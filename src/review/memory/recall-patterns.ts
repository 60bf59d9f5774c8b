import type { Scope } from '../../lib/scope.ts';
import { dotProduct } from '../../lib/vectors.ts';
import type { MemoryDeps } from '../../memory/ranking/rank.ts';
import type { Embedder } from '../../outside/embed/embedder.ts';
import { countJudgmentsAmong } from '../../store/memory/judgments-among.ts';
import { type ListedPattern, listPatterns } from '../../store/memory/patterns.ts';
import type { UnmarkedEntry } from '../prompt/memory-entries.ts';

const MAX_LISTED = 100;

/**
 * Patterns that a run of an organization may see, the newest first. A pattern of the whole API key quotes judgments of
 * several organizations, so it is visible only if all judgments that it quotes are the organization's own or of none.
 */
export async function visiblePatterns(
  { db }: MemoryDeps,
  scope: Scope,
  organizationId: string,
): Promise<ListedPattern[]> {
  const listed = await listPatterns(db, scope, { organizationId }, MAX_LISTED);
  const visible: ListedPattern[] = [];
  for (const pattern of listed) {
    const quoted = pattern.topSourceRecordIds ?? [];
    const isVisible =
      pattern.scope === 'org' || (quoted.length > 0 && (await allQuoted(db, scope, organizationId, quoted)));
    if (isVisible) visible.push(pattern);
  }
  return visible;
}

const allQuoted = async (
  db: MemoryDeps['db'],
  scope: Scope,
  organizationId: string,
  recordIds: readonly string[],
): Promise<boolean> =>
  (await countJudgmentsAmong(db, scope, recordIds, ['', organizationId])) === recordIds.length;

export interface EmbeddedPattern {
  pattern: ListedPattern;
  vector: Float32Array;
}

/** Throws `EmbedFailure`. */
export async function embedPatterns(
  patterns: readonly ListedPattern[],
  embedder: Embedder,
): Promise<EmbeddedPattern[]> {
  const embedded: EmbeddedPattern[] = [];
  for (const pattern of patterns)
    embedded.push({ pattern, vector: await embedder.embedQuery(pattern.description) });
  return embedded;
}

/** Patterns by their similarity to the query that is nearest to them, the most similar first. */
export const nearestPatterns = (
  patterns: readonly EmbeddedPattern[],
  queries: readonly Float32Array[],
  limit: number,
): ListedPattern[] =>
  patterns
    .map(({ pattern, vector }) => ({
      pattern,
      similarity: Math.max(...queries.map((query) => dotProduct(query, vector))),
    }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit)
    .map(({ pattern }) => pattern);

export const patternEntry = ({ patternId, description, sourceCount }: ListedPattern): UnmarkedEntry => ({
  kind: 'pattern',
  id: patternId,
  section: `a pattern of ${sourceCount} decisions`,
  text: description,
});
