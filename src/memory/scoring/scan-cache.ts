import type { JudgmentFilters, MemoryPlace } from '../../shapes/judgment.ts';
import { lengthOf } from '../../store/judgment-vectors.ts';
import { bonuses, type Counts, clamp, countsOf } from '../ranking-score.ts';
import { wordNumbers } from './columns.ts';
import type { JudgmentCache, VectorSet } from './judgment-cache.ts';
import type { RankingQuestion } from './scorer.ts';

/** A judgment that can be among the best. */
export interface Contender {
  number: number;
  matched: number;
  bonus: number;
  /** Between which its similarity is, -1 to 1; the same where it is known. */
  least: number;
  most: number;
}

export interface Scan {
  counts: Counts;
  /** The models of what was looked at. */
  models: string[];
  /** Those that can be among the best, the most promising first. */
  contenders: Contender[];
}

/** What rounding to 32 bits may add to a cosine. */
const ROUNDING = 1e-6;

/** Looks at every judgment of a place; no time passes meanwhile. */
export function scanCache(cache: JudgmentCache, question: RankingQuestion): Scan {
  const { words, vectors, limit } = question;
  const numbers = numbersIn(cache, question.place, question.filters);
  const matched = matchedIn(
    cache,
    numbers,
    words.map(({ word }) => word),
  );
  const groups = new Map<number, { matched: number; many: number }>();
  const models = new Set<number>();
  for (let at = 0; at < numbers.length; at++) {
    models.add(cache.model.values[numbers[at]!]!);
    const group = groups.get(matched[at]!);
    if (group) group.many += 1;
    else groups.set(matched[at]!, { matched: matched[at]!, many: 1 });
  }
  const counts = countsOf(groups.values(), words.length);
  const bonusOf = bonuses(counts, words);
  for (const bits of groups.keys()) bonusOf(bits);

  const { least, most, hasVector } = boundsOf(cache, numbers, vectors);
  const asked = vectors.map(({ model }) => model);
  const askedNumbers = new Set(asked.map((model) => cache.names.find(model)));
  const contenders: Contender[] = [];
  const leading = new Highest(limit);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    // The same as `isAnswer`.
    if (hasVector[at] === 0 && matched[at] === 0 && askedNumbers.has(cache.model.values[number]!)) continue;
    const bonus = bonusOf(matched[at]!);
    if (most[at]! + bonus < leading.lowest) continue;
    leading.add(least[at]! + bonus);
    contenders.push({ number, matched: matched[at]!, bonus, least: least[at]!, most: most[at]! });
  }
  return {
    counts,
    models: [...models].map((model) => cache.names.text(model)),
    contenders: contenders
      .filter(({ most: highest, bonus }) => highest + bonus >= leading.lowest)
      .sort((one, other) => other.most + other.bonus - one.most - one.bonus),
  };
}

/** The judgments of a place that pass the filters. */
function numbersIn(
  cache: JudgmentCache,
  { organizationId, documentId }: MemoryPlace,
  filters: JudgmentFilters,
): Uint32Array {
  const { decision, decisions, judgeType, contentType, reviewerId, from, to, excludeDocumentIds } = filters;
  const equal: [Uint32Array, number][] = [];
  const found = new Uint32Array(cache.length);
  for (const [column, name] of [
    [cache.document, documentId],
    [cache.organization, organizationId],
    [cache.reviewer, reviewerId],
    [cache.contentType, contentType],
    [cache.decision, decision],
  ] as const) {
    if (name === undefined) continue;
    const number = cache.names.find(name);
    if (number === undefined) return found.subarray(0, 0);
    equal.push([column.values, number]);
  }
  const numbersOf = (names: readonly string[] | undefined) =>
    names && new Set(names.map((name) => cache.names.find(name)));
  const decided = numbersOf(decisions);
  const excluded = numbersOf(excludeDocumentIds);
  const isThere = cache.isThere.values;
  let many = 0;
  judgments: for (let number = 0; number < cache.length; number++) {
    if (isThere[number] === 0) continue;
    for (const [values, wanted] of equal) if (values[number] !== wanted) continue judgments;
    if (judgeType !== undefined && cache.judgeType.values[number] !== (judgeType === 'agent' ? 1 : 0))
      continue;
    if (from !== undefined && cache.createdAt.values[number]! < from) continue;
    if (to !== undefined && cache.createdAt.values[number]! > to) continue;
    if (decided && !decided.has(cache.decision.values[number]!)) continue;
    if (excluded?.has(cache.document.values[number]!)) continue;
    found[many] = number;
    many += 1;
  }
  return found.subarray(0, many);
}

/** So many bits fit into one number that can be combined bit by bit. */
const HALF = 30;

/** Which words each has, as bits. Two words of which one is taken for the other are one in four thousand million. */
function matchedIn(cache: JudgmentCache, numbers: Uint32Array, words: readonly string[]): Float64Array {
  const matched = new Float64Array(numbers.length);
  const wanted = words.flatMap((word) => [...wordNumbers(word)]);
  if (wanted.length === 0) return matched;
  // Nearly all words are none of those, which one look tells.
  const some = new Uint8Array(4_096);
  for (const word of wanted) some[word & 4_095] = 1;
  const all = cache.words.values;
  for (let at = 0; at < numbers.length; at++) {
    const from = cache.wordsFrom.values[numbers[at]!]!;
    const end = from + cache.wordsMany.values[numbers[at]!]!;
    let low = 0;
    let high = 0;
    for (let place = from; place < end; place++) {
      const word = all[place]!;
      if (some[word & 4_095] === 0) continue;
      const bit = wanted.indexOf(word);
      if (bit >= HALF) high |= 1 << (bit - HALF);
      else if (bit >= 0) low |= 1 << bit;
    }
    matched[at] = high * 2 ** HALF + low;
  }
  return matched;
}

interface Bounds {
  least: Float64Array;
  most: Float64Array;
  hasVector: Uint8Array;
}

/** Between which cosines the nearest window of each is. */
function boundsOf(cache: JudgmentCache, numbers: Uint32Array, vectors: RankingQuestion['vectors']): Bounds {
  const bounds = {
    least: new Float64Array(numbers.length),
    most: new Float64Array(numbers.length),
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
  { least, most, hasVector }: Bounds,
): void {
  let many = 0;
  const isOfSet = (number: number) => cache.rows.values[number]! > 0 && cache.set.values[number] === place;
  for (const number of numbers) if (isOfSet(number)) many += cache.rows.values[number]!;
  const rows = new Uint32Array(many);
  let next = 0;
  for (const number of numbers) {
    if (!isOfSet(number)) continue;
    for (let window = 0; window < cache.rows.values[number]!; window++)
      rows[next++] = cache.row.values[number]! + window;
  }
  const { whole, scale, lost } = wholeNumbersOf(vector);
  const products = set.dots.score(whole, rows);
  next = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!;
    if (!isOfSet(number)) continue;
    hasVector[at] = 1;
    least[at] = -1;
    most[at] = -1;
    for (let window = 0; window < cache.rows.values[number]!; window++, next++) {
      const row = rows[next]!;
      const cosine = products[next]! * scale * set.scale.values[row]!;
      const radius = set.radius.values[row]!;
      const off = radius + lost * (1 + radius) + ROUNDING;
      least[at] = Math.max(least[at]!, clamp(cosine - off));
      most[at] = Math.max(most[at]!, clamp(cosine + off));
    }
  }
}

/** The largest number of 32 bits, less a little. */
const MOST = 2_147_000_000;

/**
 * A vector in whole numbers of 16 bits that are small enough for a sum of 32; what a product is to be multiplied with
 * so that the vector counts as of length one, and how far that is from the vector.
 */
function wholeNumbersOf(vector: Float32Array): { whole: Int16Array; scale: number; lost: number } {
  const length = lengthOf(vector);
  if (length === 0) return { whole: new Int16Array(vector.length), scale: 0, lost: 0 };
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // No product of two vectors is above that of their lengths, nor is any part of its sum.
  const by = Math.min(
    32_767 / largest,
    (MOST / (127 * Math.sqrt(vector.length)) - Math.sqrt(vector.length)) / length,
  );
  const whole = Int16Array.from(vector, (value) => Math.round(value * by));
  const lost = lengthOf(vector.map((value, at) => value * by - whole[at]!)) / (by * length);
  return { whole, scale: 1 / (by * length), lost };
}

/** The highest numbers of many. */
class Highest {
  readonly #heap: Float64Array;
  #many = 0;

  constructor(most: number) {
    this.#heap = new Float64Array(most);
  }

  /** The lowest of as many as are kept; -Infinity while there are less. */
  get lowest(): number {
    return this.#many < this.#heap.length ? Number.NEGATIVE_INFINITY : this.#heap[0]!;
  }

  add(number: number): void {
    const heap = this.#heap;
    if (this.#many < heap.length) {
      let at = this.#many++;
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
