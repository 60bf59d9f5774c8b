import type { Logger } from 'pino';
import type { Database } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import {
  countWords,
  type FilteredPlace,
  listByWords,
  listNearby,
  listUnindexed,
  type QueryVector,
  type QueryWord,
  sampleWords,
} from '../../store/memory/judgment-candidates.ts';
import { countJudgments } from '../../store/memory/judgments.ts';
import {
  LARGE,
  listJudgmentIndexes,
  maintainJudgmentIndexes,
  nearIndexName,
  type VectorSet,
  wordsIndexName,
} from '../../store/memory/vector-indexes.ts';
import { hasBit, type WordCounts, wordBonuses } from '../scoring/ranking-score.ts';
import { combinationQuery, MAX_COMBINED } from './word-combinations.ts';

/**
 * Number of nearest neighbors to compare: at least `NEAREST`, or a multiple of the limit, up to what an index returns.
 */
const NEAREST = 400;
const NEAREST_FOR_EACH = 4;
const MAX_NEAREST = 1_000;
/** Target number of judgments found by words; combinations that match more than twice as many are skipped. */
const BY_WORDS = 1_000;
/** With more judgments without a usable vector than this, all judgments are read instead. */
const MAX_UNINDEXED = 1_000;
/** Word frequencies are estimated from this many of the newest judgments; rare words are counted exactly. */
const SAMPLE = 2_000;
const RARE_IN_SAMPLE = 20;
const MAX_COUNTED = 5_000;
const INDEXES_KNOWN_MS = 10_000;

export interface Preselection {
  judgmentIds: string[];
  /** Total and word frequencies over all judgments, not only the candidates. */
  counts: WordCounts;
}

/** Cached for a few seconds. A stale entry does no harm: without the index, the same statement has a slower plan. */
const indexesOf = new WeakMap<Db, { until: number; names: Promise<Set<string>> }>();

async function hasIndexes(db: Db, set: VectorSet): Promise<boolean> {
  let known = indexesOf.get(db);
  if (!known || known.until < Date.now()) {
    known = { until: Date.now() + INDEXES_KNOWN_MS, names: listJudgmentIndexes(db) };
    indexesOf.set(db, known);
    known.names.catch(() => indexesOf.delete(db));
  }
  const names = await known.names;
  return names.has(nearIndexName(set)) && names.has(wordsIndexName(set.apiKeyId));
}

/** The number of judgments if it is above `large` and indexes exist; otherwise undefined. */
async function countIfLarge(
  db: Db,
  { scope, place, filters }: FilteredPlace,
  kind: VectorSet['kind'],
  { model, vector }: QueryVector,
  large: number,
): Promise<number | undefined> {
  const set = { apiKeyId: scope.apiKeyId, kind, model, dimensions: vector.length };
  if (!(await hasIndexes(db, set))) return undefined;
  const total = await countJudgments(db, scope, place, filters);
  return total > large ? total : undefined;
}

/**
 * Candidates for the top of a large ranking: nearest neighbors, matches of the most telling words, and judgments
 * without a vector. Undefined if all judgments are to be compared: there are at most `large` of them, they have no
 * index, or too many have no vector.
 */
export async function preselectJudgments(
  db: Db,
  filtered: FilteredPlace,
  { kind, words, limit }: { kind: VectorSet['kind']; words: readonly QueryWord[]; limit: number },
  own: QueryVector,
  large = LARGE,
): Promise<Preselection | undefined> {
  const total = await countIfLarge(db, filtered, kind, own, large);
  if (total === undefined) return undefined;
  const nearest = Math.min(MAX_NEAREST, Math.max(NEAREST, NEAREST_FOR_EACH * limit));
  const [{ ids: byWords, frequencies }, near, unindexed] = await Promise.all([
    findByWords(db, filtered, words, total),
    listNearby(db, filtered, kind, own, nearest),
    listUnindexed(db, filtered.scope, kind, own.model, MAX_UNINDEXED + 1),
  ]);
  if (unindexed.length > MAX_UNINDEXED) return undefined;
  return {
    judgmentIds: [...new Set([...near, ...byWords, ...unindexed])],
    counts: { total, frequencies },
  };
}

async function findByWords(
  db: Db,
  filtered: FilteredPlace,
  words: readonly QueryWord[],
  total: number,
): Promise<{ ids: string[]; frequencies: number[] }> {
  if (words.length === 0) return { ids: [], frequencies: [] };
  const sample = await sampleWords(db, filtered, words, SAMPLE);
  const seen = words.map((_, bit) =>
    sample.reduce((sum, matched) => sum + (hasBit(matched, bit) ? 1 : 0), 0),
  );
  const rare = words.flatMap(({ word }, bit) => (seen[bit]! < RARE_IN_SAMPLE ? [{ word, bit }] : []));
  const counts = await countWords(
    db,
    filtered,
    rare.map(({ word }) => word),
    MAX_COUNTED,
  );
  const frequencies = seen.map((many) => (many / Math.max(1, sample.length)) * total);
  rare.forEach(({ bit }, index) => {
    const many = counts[index]!;
    frequencies[bit] = many < MAX_COUNTED ? many : Math.max(many, frequencies[bit]!);
  });
  const bonusOf = wordBonuses({ total, frequencies }, words);
  const topWords = words
    .map(({ word }, bit) => ({ word, bit, bonus: bonusOf(2 ** bit) }))
    .filter(({ bit }) => frequencies[bit]! > 0)
    .sort((one, other) => other.bonus - one.bonus)
    .slice(0, MAX_COMBINED);
  const query = combinationQuery(topWords, bonusOf, sample, (BY_WORDS * sample.length) / total);
  return { ids: query ? await listByWords(db, filtered, query, 2 * BY_WORDS) : [], frequencies };
}

/** Creates, fills and drops the indexes of API keys with many judgments. Does nothing without pgvector. */
export async function indexJudgments(
  { database, log }: { database: Database; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  try {
    const kept = await database.withoutTimeout((db) => maintainJudgmentIndexes(db, signal), signal);
    if (kept.made.length + kept.dropped.length > 0) log.info(kept, 'created or dropped indexes of judgments');
  } catch (error) {
    if (!signal.aborted) logFault(log, error, 'judgments could not be indexed');
  }
}
