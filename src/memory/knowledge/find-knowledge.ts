import type { Scope } from '../../lib/scope.ts';
import { wordsOf } from '../../lib/text/search-words.ts';
import { EmbedFailure } from '../../outside/embed/embedder.ts';
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
import type { MemoryDeps } from '../ranking/rank.ts';
import { queryWords, WEIGHTS } from '../scoring/ranking-score.ts';

export interface KnowledgeHit {
  sourceId: string;
  fileName: string;
  kind: 'chunk' | 'rule';
  /** Of the chunk or rule, within its key. */
  id: string;
  text: string;
  /** The headings that a chunk stands under, the outermost first; the category of a rule. */
  heading: string | null;
  /** Cosine distance, 0 to 2, lower is nearer; undefined where meaning could not be compared. */
  distance: number | undefined;
}

export interface KnowledgeRequest {
  query: string;
  /** Sources of the key at large, of this organization and of this document count; without it, all of the key. */
  place?: MemoryPlace | undefined;
  sourceIds?: readonly string[] | undefined;
  /** At most so many are answered. */
  limit: number;
  /** Beside chunks, also rules. */
  includeRules: boolean;
  signal?: AbortSignal | undefined;
}

/** How many candidates are weighed for each that is answered, and at least. */
const CANDIDATES = 4;
const MIN_CANDIDATES = 60;

/**
 * What uploaded files say about something, best first, by meaning and words together. Where the query cannot be
 * turned into a vector, and behind everything else what has no vectors of today's model yet, the newest come without
 * a distance. Throws only where it is broken off.
 */
export async function findKnowledge(
  { db, embeddings, scorer }: MemoryDeps,
  scope: Scope,
  { query, place, sourceIds, limit, includeRules, signal }: KnowledgeRequest,
): Promise<KnowledgeHit[]> {
  const sources = await listSearchedSources(db, scope, { place, sourceIds });
  if (sources.length === 0) return [];
  // Several sources may have the same file; it is shown as the newest of them.
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
    vector = await current.embedQuery(query, signal && { signal });
  } catch (error) {
    if (!(error instanceof EmbedFailure) || signal?.aborted) throw error;
    return (await listItemsInOrder(db, scope, { ...wanted, limit })).map(show);
  }
  const wantedOnes = queryWords(query);
  const words = wantedOnes.map(({ word }) => word);
  const worded = await listItemsWithWords(db, scope, { ...wanted, words });
  const { nearest, asked } = await scorer.compareKnowledge(
    {
      ...wanted,
      apiKeyId: scope.apiKeyId,
      model: current.model,
      vector,
      itemIds: worded.map(({ itemId }) => itemId),
    },
    signal,
  );
  const distances = new Map(asked.map(({ itemId, distance }) => [itemId, distance]));
  const known = new Map(
    [
      ...(await itemsAt(db, scope, nearest)),
      ...worded.map((item) => ({ ...item, distance: distances.get(item.itemId) })),
    ].map((item) => [item.itemId, item]),
  );
  const best = inOrder([...known.values()], wantedOnes).slice(0, limit);
  if (best.length < limit) {
    const rest = await listItemsInOrder(db, scope, { ...wanted, limit, withoutModel: current.model });
    best.push(...rest.filter(({ itemId }) => !known.has(itemId)).slice(0, limit - best.length));
  }
  return best.map(show);
}

/** By cosine and by the share of the query's words that an item holds; rare words weigh more. */
function inOrder(items: readonly KnowledgeItem[], wanted: readonly QueryWord[]): KnowledgeItem[] {
  const words = wanted.map(({ word }) => word);
  const held = items.map(({ text, heading }) => new Set(wordsOf(`${heading ?? ''}\n${text}`)));
  const weights = new Map(
    words.map((word) => {
      const many = held.filter((one) => one.has(word)).length;
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
      // What has no distance has no vectors of this model: its words alone speak for it.
      score:
        1 -
        (item.distance ?? 1) +
        WEIGHTS.words * share(words, held[index]!) +
        WEIGHTS.identifiers * share(names, held[index]!),
    }))
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}
