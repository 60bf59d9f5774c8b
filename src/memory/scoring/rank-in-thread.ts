import type { Db } from '../../db/tables.ts';
import { wordsOf } from '../../lib/text/search-words.ts';
import { cosine } from '../../lib/vectors.ts';
import type { QueryVector } from '../../store/memory/judgment-candidates.ts';
import { countJudgments } from '../../store/memory/judgments.ts';
import { listDirections, listSearchRowsInOrder, type SearchRow } from '../../store/memory/search-rows.ts';
import { componentsOf } from '../../store/memory/stored-vectors.ts';
import { searchableText } from '../embedding/searchable-text.ts';
import type { JudgmentCache } from './judgment-cache.ts';
import type { JudgmentCaches } from './judgment-caches.ts';
import type { Ranking } from './packed-ranking.ts';
import { rankExactly } from './rank-exactly.ts';
import { byScore, CandidatePool, clamp, type ScoredAt, scoreOf, selectBest } from './ranking-score.ts';
import { type Contender, numbersIn, scanCache } from './scan-cache.ts';
import type { RankingQuery } from './scorer.ts';

/** Contenders whose exact vectors are read at once. */
const CONTENDERS = 512;
/** Judgments read by one statement without a cache. */
const BATCH_SIZE = 2_000;
/** Up to this size, reading a place is faster than loading the cache of its key. */
const SMALL = 5_000;

/** Ranks the judgments of a place, from the cache if the key's cache is loaded or worth loading. */
export async function rankInThread(
  db: Db,
  caches: JudgmentCaches,
  question: RankingQuery,
  signal: AbortSignal,
): Promise<Ranking> {
  const { apiKeyId, kind, place, filters } = question;
  // The judgments of one annotation are few, and preselected candidates are read by id.
  if (question.preselected || filters.annotationId !== undefined)
    return await rankDirectly(db, question, signal);
  if (place.organizationId !== undefined && !caches.loaded(apiKeyId, kind)) {
    const many = await countJudgments(db, { apiKeyId, workspaceId: '' }, place, filters);
    if (many <= SMALL) {
      // Warms the cache for the next search.
      caches.current(apiKeyId, kind).catch(() => {});
      return await rankDirectly(db, question, signal);
    }
  }
  const cache = await caches.current(apiKeyId, kind);
  signal.throwIfAborted();
  return cache ? await rankCached(db, cache, question, signal) : await rankDirectly(db, question, signal);
}

async function rankCached(
  db: Db,
  cache: JudgmentCache,
  question: RankingQuery,
  signal: AbortSignal,
): Promise<Ranking> {
  const { limit, vectors, place, filters } = question;
  const scan = scanCache(cache, question, numbersIn(cache, place, filters));
  const ranking = rankExactly(cache, question, scan);
  if (ranking) return ranking;
  const { counts, models, contenders } = scan;
  // Copied out, because the cache may change while vectors are read.
  const named = contenders.map((one) => ({
    ...one,
    judgmentId: cache.ids.text(one.number),
    createdAt: cache.createdAt.values[one.number]!,
  }));
  let leading: ScoredAt[] = [];
  for (let from = 0; from < named.length; from += CONTENDERS) {
    const part = named.slice(from, from + CONTENDERS);
    // Contenders are sorted by their upper bound: no later one can enter the top.
    if (leading.length >= limit && scoreOf(part[0]!.upperBound, part[0]!.bonus) < leading.at(-1)!.score)
      break;
    const similarities = await similaritiesOf(db, question, vectors, part);
    signal.throwIfAborted();
    const scored = part.map(({ judgmentId, createdAt, bonus }): ScoredAt => {
      const similarity = similarities.get(judgmentId) ?? 0;
      return { judgmentId, createdAt, similarity, score: scoreOf(similarity, bonus) };
    });
    leading = [...leading, ...scored].sort(byScore).slice(0, limit);
  }
  return {
    scored: leading.map(({ createdAt: _, ...scored }) => scored),
    total: counts.total,
    models,
  };
}

/** Exact cosines from stored vectors, for contenders whose bounds differ. */
async function similaritiesOf(
  db: Db,
  { apiKeyId, kind }: RankingQuery,
  vectors: readonly QueryVector[],
  contenders: readonly (Contender & { judgmentId: string })[],
): Promise<Map<string, number>> {
  const compared = contenders.filter(({ lowerBound, upperBound }) => lowerBound !== upperBound);
  const similarities = new Map<string, number>();
  if (compared.length === 0) return similarities;
  const ids = compared.map(({ judgmentId }) => judgmentId);
  for (const { judgmentId, model, direction } of await listDirections(db, { apiKeyId }, kind, ids)) {
    const similarity = similarityOf(vectors, model, componentsOf(direction));
    if (similarity !== undefined)
      similarities.set(judgmentId, Math.max(similarity, similarities.get(judgmentId) ?? -1));
  }
  return similarities;
}

/** Undefined for vectors of another model or length. */
function similarityOf(
  vectors: readonly QueryVector[],
  model: string,
  direction: Int16Array,
): number | undefined {
  const wanted = vectors.find((one) => one.model === model && one.vector.length === direction.length);
  return wanted && clamp(cosine(wanted.vector, direction));
}

/** Ranks without a cache: reads all rows, a batch at a time. */
async function rankDirectly(db: Db, question: RankingQuery, signal: AbortSignal): Promise<Ranking> {
  const { apiKeyId, place, filters, kind, words, vectors, limit, preselected } = question;
  const pool = new CandidatePool(limit);
  const wanted = new Map(words.map(({ word }, bit) => [word, 2 ** bit]));
  let after: SearchRow | undefined;
  do {
    const copies: SearchRow[] = await listSearchRowsInOrder(
      db,
      { apiKeyId, workspaceId: '' },
      place,
      filters,
      {
        kind,
        after,
        among: preselected?.judgmentIds,
        limit: BATCH_SIZE,
      },
    );
    signal.throwIfAborted();
    for (const copy of copies) {
      const { judgmentId, createdAt, model } = copy;
      const matched = wordsIn(copy).reduce((sum, word) => sum + (wanted.get(word) ?? 0), 0);
      pool.add({ judgmentId, createdAt, model, matched, similarity: nearest(copy, vectors) });
    }
    after = copies.length < BATCH_SIZE ? undefined : copies.at(-1);
  } while (after);
  const counts = preselected?.counts ?? pool.counts(words.length);
  const queriedModels = vectors.map(({ model }) => model);
  return {
    scored: selectBest(pool.candidates(), counts, { words, queriedModels, limit }),
    total: counts.total,
    models: [...pool.models],
  };
}

/** Distinct words of a row. */
function wordsIn({ words, decision, reasoning, content }: SearchRow): string[] {
  if (words !== null) return words.split(' ');
  const texts = (['review', 'content'] as const).map((kind) =>
    searchableText({ decision, reasoning: reasoning ?? '', content }, kind),
  );
  return [...new Set(texts.flatMap((text) => wordsOf(text ?? '')))];
}

function nearest({ model, directions, windows }: SearchRow, vectors: readonly QueryVector[]): number | null {
  if (directions === null) return null;
  const bytes = directions.length / windows;
  let highest: number | null = null;
  for (let window = 0; window < windows; window++) {
    const direction = componentsOf(directions.subarray(window * bytes, (window + 1) * bytes));
    const similarity = similarityOf(vectors, model, direction);
    if (similarity !== undefined) highest = Math.max(highest ?? -1, similarity);
  }
  return highest;
}
