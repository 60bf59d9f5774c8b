import type { Scope } from '../../lib/scope.ts';
import { wordsOf } from '../../lib/text/search-words.ts';
import { EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import type { MemoryPlace } from '../../shapes/memory/judgment.ts';
import {
  itemsAt,
  type KnowledgeItem,
  listItemsInOrder,
  listItemsWithWords,
  listSearchedSources,
  type Searched,
} from '../../store/knowledge/search-knowledge.ts';
import type { QueryWord } from '../../store/memory/judgment-candidates.ts';
import { queryVector } from '../embedding/query-vectors.ts';
import type { MemoryDeps } from '../ranking/rank.ts';
import { queryWords, WEIGHTS } from '../scoring/ranking-score.ts';

export interface KnowledgeHit {
  sourceId: string;
  fileName: string;
  kind: 'chunk' | 'rule';
  /** Id of the chunk or rule, unique within the API key. */
  id: string;
  text: string;
  /** Headings above a chunk, outermost first; category of a rule. */
  heading: string | null;
  /** Cosine distance, 0 to 2; undefined if it could not be compared. */
  distance: number | undefined;
}

export interface KnowledgeRequest {
  query: string;
  /** Searches sources of this organization and document, and those of the API key at large; all sources by default. */
  place?: MemoryPlace | undefined;
  sourceIds?: readonly string[] | undefined;
  limit: number;
  includeRules: boolean;
  signal?: AbortSignal | undefined;
}

/** Candidates to rank per result, and their least number. */
const CANDIDATES = 4;
const MIN_CANDIDATES = 60;

/**
 * Searches uploaded files by meaning and words, best first. If the query cannot be embedded, the newest items are
 * returned without a distance; items without vectors of the current model come last. Throws only if cancelled.
 */
export async function findKnowledge(
  { db, embeddings, scorer }: MemoryDeps,
  scope: Scope,
  { query, place, sourceIds, limit, includeRules, signal }: KnowledgeRequest,
): Promise<KnowledgeHit[]> {
  const wordsOfQuery = queryWords(query);
  const sources = await listSearchedSources(db, scope, { place, sourceIds });
  if (sources.length === 0) return [];
  // Sources may share a content; hits name the newest of them.
  const byContent = new Map(sources.map((source) => [source.contentId, source] as const).reverse());
  const wanted: Searched = {
    contentIds: [...new Set(sources.map((source) => source.contentId))],
    kinds: includeRules ? ['chunk', 'rule'] : ['chunk'],
    limit: Math.max(MIN_CANDIDATES, limit * CANDIDATES),
  };
  const show = ({ contentId, itemId, ...item }: KnowledgeItem): KnowledgeHit => {
    const { sourceId, fileName } = byContent.get(contentId)!;
    return { ...item, sourceId, fileName, id: itemId };
  };

  const { current } = embeddings;
  let vector: Float32Array;
  try {
    vector = await queryVector(current, scope, query, signal);
  } catch (error) {
    if (!(error instanceof EmbedFailure) || signal?.aborted) throw error;
    return (await listItemsInOrder(db, scope, { ...wanted, limit })).map(show);
  }
  const words = wordsOfQuery.map(({ word }) => word);
  const byWords = await listItemsWithWords(db, scope, { ...wanted, words });
  const { nearest, requested } = await scorer.compareKnowledge(
    {
      ...wanted,
      apiKeyId: scope.apiKeyId,
      model: current.model,
      vector,
      itemIds: byWords.map(({ itemId }) => itemId),
    },
    signal,
  );
  const distances = new Map(requested.map(({ itemId, distance }) => [itemId, distance]));
  const known = new Map(
    [
      ...(await itemsAt(db, scope, nearest)),
      ...byWords.map((item) => ({ ...item, distance: distances.get(item.itemId) })),
    ].map((item) => [item.itemId, item]),
  );
  const best = ranked([...known.values()], wordsOfQuery).slice(0, limit);
  if (best.length < limit) {
    const rest = await listItemsInOrder(db, scope, { ...wanted, limit, withoutModel: current.model });
    best.push(...rest.filter(({ itemId }) => !known.has(itemId)).slice(0, limit - best.length));
  }
  return best.map(show);
}

/** Ranks by cosine and by the share of the query's words that an item contains; rare words weigh more. */
function ranked(items: readonly KnowledgeItem[], wanted: readonly QueryWord[]): KnowledgeItem[] {
  const words = wanted.map(({ word }) => word);
  const wordSets = items.map(({ text, heading }) => new Set(wordsOf(`${heading ?? ''}\n${text}`)));
  const weights = new Map(
    words.map((word) => {
      const many = wordSets.filter((one) => one.has(word)).length;
      return [word, Math.log(1 + (items.length + 1) / (many + 0.5))];
    }),
  );
  const names = wanted.filter(({ isName }) => isName).map(({ word }) => word);
  const share = (of: readonly string[], one: Set<string>) => {
    const all = of.reduce((sum, word) => sum + weights.get(word)!, 0);
    const found = of.reduce((sum, word) => sum + (one.has(word) ? weights.get(word)! : 0), 0);
    return all === 0 ? 0 : (found / all) ** 2;
  };
  return items
    .map((item, index) => ({
      item,
      // Items without a distance are ranked by their words alone.
      score:
        1 -
        (item.distance ?? 1) +
        WEIGHTS.words * share(words, wordSets[index]!) +
        WEIGHTS.identifiers * share(names, wordSets[index]!),
    }))
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}
