import { magnitude } from '../../lib/vectors.ts';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import { type JudgmentCache, REDUCTION, type VectorSet } from './judgment-cache.ts';
import { scoreOf, type WordCounts, wordBonuses, wordCounts } from './ranking-score.ts';
import type { RankingQuery } from './scorer.ts';
import { wordNumbers } from './vector-columns.ts';

/** A judgment whose score may reach the top. */
export interface Contender {
  number: number;
  matched: number;
  bonus: number;
  /** Bounds of its cosine, -1 to 1; equal if the cosine is exact. */
  lowerBound: number;
  upperBound: number;
}

export interface Scan {
  counts: WordCounts;
  /** Models of the scanned judgments' vectors. */
  models: string[];
  /** By upper bound of the score, highest first. */
  contenders: Contender[];
}

/** Largest error that 32-bit floats add to a cosine. */
const ROUNDING = 1e-6;

/**
 * Scans judgments, mostly those of `numbersIn`, synchronously. Only contenders remain: judgments whose upper bound reaches the lower
 * bounds of the best `limit`.
 */
export function scanCache(
  cache: JudgmentCache,
  { words, vectors, limit }: Pick<RankingQuery, 'words' | 'vectors' | 'limit'>,
  numbers: Uint32Array,
): Scan {
  const { groups, groupOf } = groupsIn(
    cache,
    numbers,
    words.map(({ word }) => word),
  );
  const counts = wordCounts(groups, words.length);
  const bonusOf = wordBonuses(counts, words);
  const bonusesOf = Float64Array.from(groups, ({ matched }) => bonusOf(matched));

  const models = new Set<number>();
  const modelOf = cache.model.values;
  let last = -1;
  for (let at = 0; at < numbers.length; at++) {
    const model = modelOf[numbers[at]!]!;
    if (model !== last) models.add(model);
    last = model;
  }

  const { lowerBound, upperBound, hasVector } = boundsOf(cache, numbers, vectors);
  const queriedModels = new Set(vectors.map(({ model }) => cache.names.find(model)));
  const contenders: Contender[] = [];
  const leading = new Highest(limit);
  for (let at = 0; at < numbers.length; at++) {
    const group = groupOf[at]!;
    const bonus = bonusesOf[group]!;
    if (scoreOf(upperBound[at]!, bonus) < leading.lowest) continue;
    const number = numbers[at]!;
    const { matched } = groups[group]!;
    // `isAnswer` of ranking-score.ts, inlined to compare models by number.
    if (hasVector[at] === 0 && matched === 0 && queriedModels.has(modelOf[number]!)) continue;
    leading.add(scoreOf(lowerBound[at]!, bonus));
    contenders.push({ number, matched, bonus, lowerBound: lowerBound[at]!, upperBound: upperBound[at]! });
  }
  return {
    counts,
    models: [...models].map((model) => cache.names.text(model)),
    contenders: contenders
      .filter(({ upperBound: highest, bonus }) => scoreOf(highest, bonus) >= leading.lowest)
      .sort((one, other) => highestScore(other) - highestScore(one)),
  };
}

const highestScore = ({ upperBound, bonus }: Contender): number => scoreOf(upperBound, bonus);

/** Numbers of the judgments that pass the filters, in the cache's scratch buffer, which the next call overwrites. */
export function numbersIn(
  cache: JudgmentCache,
  { organizationId, documentId }: MemoryPlace,
  filters: JudgmentFilters,
): Uint32Array<ArrayBuffer> {
  const { decision, decisions, judgeType, contentType, reviewerId, from, to, excludeDocumentIds } = filters;
  // Most selective condition first, each in a tight loop of its own.
  const conditions: [Uint32Array | Uint8Array, number | undefined][] = [];
  for (const [column, name] of [
    [cache.document, documentId],
    [cache.organization, organizationId],
    [cache.reviewer, reviewerId],
    [cache.contentType, contentType],
    [cache.decision, decision],
  ] as const)
    if (name !== undefined) conditions.push([column.values, cache.names.find(name)]);
  if (judgeType !== undefined) conditions.push([cache.judgeType.values, judgeType === 'agent' ? 1 : 0]);
  if (filters.withoutAssistants) conditions.push([cache.isOfAssistant.values, 0]);
  conditions.push([cache.isPresent.values, 1]);
  const [[values, wanted], ...rest] = conditions as [(typeof conditions)[0], ...typeof conditions];
  const scratch = cache.scratch();
  let many = 0;
  for (let number = 0; number < scratch.length; number++)
    if (values[number] === wanted) scratch[many++] = number;
  let found = scratch.subarray(0, many);
  for (const [column, name] of rest) found = withNumber(found, column, name);
  if (decisions) found = withListed(found, cache.decision.values, listed(cache, decisions), 1);
  if (excludeDocumentIds)
    found = withListed(found, cache.document.values, listed(cache, excludeDocumentIds), 0);
  if (from === undefined && to === undefined) return found;
  const times = cache.createdAt.values;
  return found.filter(
    (number) => (from === undefined || times[number]! >= from) && (to === undefined || times[number]! <= to),
  );
}

/** A table by number of a name: 1 for the given names. */
function listed(cache: JudgmentCache, names: readonly string[]): Uint8Array {
  const table = new Uint8Array(cache.names.length);
  for (const name of names) {
    const number = cache.names.find(name);
    if (number !== undefined) table[number] = 1;
  }
  return table;
}

/** Filters in place by whether the value of a column is in a table of names. */
function withListed(
  some: Uint32Array<ArrayBuffer>,
  values: Uint32Array,
  table: Uint8Array,
  wanted: 0 | 1,
): Uint32Array<ArrayBuffer> {
  let many = 0;
  for (let at = 0; at < some.length; at++) {
    const number = some[at]!;
    if (table[values[number]!] === wanted) some[many++] = number;
  }
  return some.subarray(0, many);
}

/** Filters in place by the value of a column. */
function withNumber(
  some: Uint32Array<ArrayBuffer>,
  values: Uint32Array | Uint8Array,
  wanted: number | undefined,
): Uint32Array<ArrayBuffer> {
  let many = 0;
  for (let at = 0; at < some.length; at++) {
    const number = some[at]!;
    if (values[number] === wanted) some[many++] = number;
  }
  return some.subarray(0, many);
}

/** Number of bits that bitwise operators handle without touching the sign bit. */
const LOW_BITS = 30;

/** Slots of the direct-mapped table of query words. */
const SLOTS = 4_096;
/** Up to this many words, groups are looked up in an array instead of a map. */
const MAX_ARRAY_WORDS = 12;

interface Groups {
  /** Judgments with equal sets of matched words. */
  groups: { matched: number; many: number }[];
  /** Group of each number. */
  groupOf: Uint32Array;
}

/**
 * Groups judgments by the query words they contain. Words are compared by 32-bit hashes: about one pair of different
 * words in four billion matches by mistake.
 */
function groupsIn(cache: JudgmentCache, numbers: Uint32Array, words: readonly string[]): Groups {
  const wanted = Uint32Array.from(words, (word) => wordNumbers(word)[0]!);
  const slots = new Uint8Array(SLOTS);
  // A slot holds its first word; further ones are searched after it.
  for (let bit = wanted.length - 1; bit >= 0; bit--) slots[wanted[bit]! & (SLOTS - 1)] = bit + 1;
  const [all, starts, counts] = [cache.words.values, cache.firstWord.values, cache.wordCount.values];
  const groups: Groups['groups'] = [];
  const groupOf = new Uint32Array(numbers.length);
  const places = new Int32Array(2 ** Math.min(MAX_ARRAY_WORDS, wanted.length)).fill(-1);
  const others = new Map<number, number>();
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    const end = starts[number]! + counts[number]!;
    let low = 0;
    let high = 0;
    for (let place = starts[number]!; place < end; place++) {
      const word = all[place]!;
      const slot = slots[word & (SLOTS - 1)]!;
      if (slot === 0) continue;
      const bit = wanted[slot - 1] === word ? slot - 1 : wanted.indexOf(word, slot);
      if (bit >= LOW_BITS) high |= 1 << (bit - LOW_BITS);
      else if (bit >= 0) low |= 1 << bit;
    }
    const isFew = high === 0 && low < places.length;
    const matched = high * 2 ** LOW_BITS + low;
    let group = isFew ? places[low]! : (others.get(matched) ?? -1);
    if (group < 0) {
      group = groups.push({ matched, many: 0 }) - 1;
      if (isFew) places[low] = group;
      else others.set(matched, group);
    }
    groups[group]!.many += 1;
    groupOf[at] = group;
  }
  return { groups, groupOf };
}

interface Bounds {
  lowerBound: Float64Array;
  upperBound: Float64Array;
  hasVector: Uint8Array;
}

/** Bounds of the cosine of each judgment's nearest window. */
function boundsOf(cache: JudgmentCache, numbers: Uint32Array, vectors: RankingQuery['vectors']): Bounds {
  const bounds = {
    lowerBound: new Float64Array(numbers.length),
    upperBound: new Float64Array(numbers.length),
    hasVector: new Uint8Array(numbers.length),
  };
  for (const { model, vector } of vectors) {
    const place = cache.sets.findIndex(
      (set) => set?.dimensions === vector.length && cache.names.text(set.model) === model,
    );
    const set = cache.sets[place];
    if (set) compareWith(cache, numbers, { place, set, vector }, bounds);
  }
  return bounds;
}

function compareWith(
  cache: JudgmentCache,
  numbers: Uint32Array,
  { place, set, vector }: { place: number; set: VectorSet; vector: Float32Array },
  { lowerBound, upperBound, hasVector }: Bounds,
): void {
  const [setOf, firstOf, rowsOf] = [cache.set.values, cache.row.values, cache.rows.values];
  const [lengths, radii] = [set.length.values, set.radius.values];
  // Rows of all judgments in sequence; most have one.
  let rows = new Uint32Array(numbers.length);
  let many = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    const windows = rowsOf[number]!;
    if (windows === 0 || setOf[number] !== place) continue;
    if (many + windows > rows.length) {
      const grown = new Uint32Array(2 * (many + windows));
      grown.set(rows);
      rows = grown;
    }
    for (let window = 0; window < windows; window++) rows[many++] = firstOf[number]! + window;
  }
  const { whole, scale: ofQuery, lost } = wholeNumbersOf(vector);
  const scale = ofQuery / REDUCTION;
  const products = set.dots.score(whole, rows.subarray(0, many));
  let next = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    const windows = rowsOf[number]!;
    if (windows === 0 || setOf[number] !== place) continue;
    let [lowest, highest] = [-1, -1];
    for (const end = next + windows; next < end; next++) {
      const row = rows[next]!;
      const cosine = (products[next]! * scale) / lengths[row]!;
      const off = radii[row]! + lost * (1 + radii[row]!) + ROUNDING;
      if (cosine - off > lowest) lowest = cosine - off;
      if (cosine + off > highest) highest = cosine + off;
    }
    hasVector[at] = 1;
    lowerBound[at] = Math.min(1, lowest);
    upperBound[at] = Math.min(1, highest);
  }
}

/** Limit of a 32-bit sum, with a margin. */
const MAX_SUM = 2_147_000_000;

/**
 * Quantizes a query to 16-bit integers small enough for 32-bit sums. `scale` normalizes its dot products to length one;
 * `lost` is the relative quantization error.
 */
function wholeNumbersOf(vector: Float32Array): { whole: Int16Array; scale: number; lost: number } {
  const length = magnitude(vector);
  if (length === 0) return { whole: new Int16Array(vector.length), scale: 0, lost: 0 };
  const largest = vector.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  // By Cauchy-Schwarz, no partial sum exceeds the product of the lengths.
  const by = Math.min(
    32_767 / largest,
    (MAX_SUM / (127 * Math.sqrt(vector.length)) - Math.sqrt(vector.length)) / length,
  );
  const whole = Int16Array.from(vector, (value) => Math.round(value * by));
  const lost = magnitude(vector.map((value, at) => value * by - whole[at]!)) / (by * length);
  return { whole, scale: 1 / (by * length), lost };
}

/** A bounded min-heap of the highest numbers. */
export class Highest {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#heap = new Float64Array(capacity);
  }

  /** The lowest number kept; -Infinity until the heap is full. */
  get lowest(): number {
    return this.#size < this.#heap.length ? Number.NEGATIVE_INFINITY : this.#heap[0]!;
  }

  add(number: number): void {
    const heap = this.#heap;
    if (this.#size < heap.length) {
      let at = this.#size++;
      for (let parent = (at - 1) >> 1; at > 0 && heap[parent]! > number; parent = (at - 1) >> 1) {
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = number;
      return;
    }
    if (heap.length === 0 || number <= heap[0]!) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1;
      if (heap[child]! >= number) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = number;
  }
}
