import { isIdentifier, wordsOf } from '../../lib/text/search-words.ts';
import type { QueryWord } from '../../store/memory/judgment-candidates.ts';

export interface RankingWeights {
  /** Weight of the matched words, relative to the cosine. */
  words: number;
  /** Additional weight of matched words that name one thing. */
  identifiers: number;
}

/** Fitted on one half of a labeled set and measured on the other, see `bench/memory-quality.ts`. */
export const WEIGHTS: RankingWeights = { words: 0.2, identifiers: 0.5 };

/** Longer queries are reduced to this many of their most telling words. */
const MAX_WORDS = 40;

/** Longest word that counts as a name in code. */
const MAX_NAME = 200;

/** True for names in code, which an underscore or an inner capital gives away: `MAX_RETRIES`, `focusVisible`. */
const isCodeName = (chunk: string): boolean =>
  /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(chunk) || /\p{Ll}\p{Lu}/u.test(chunk);

/** Linear in the length of the query, whatever it contains. */
const codeNamesIn = (query: string): string[] =>
  (query.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((chunk) => chunk.length <= MAX_NAME && isCodeName(chunk));

/** The words that a query is searched by. */
export function queryWords(query: string): QueryWord[] {
  const codeNames = new Set(codeNamesIn(query).map((name) => wordsOf(name)[0]));
  const wanted = wordsOf(query).map((word) => ({ word, isName: isIdentifier(word) || codeNames.has(word) }));
  if (wanted.length <= MAX_WORDS) return wanted;
  const weight = ({ word, isName }: QueryWord) => word.length + (isName ? 100 : 0);
  return wanted.sort((one, other) => weight(other) - weight(one)).slice(0, MAX_WORDS);
}

export const hasBit = (matched: number, bit: number): boolean => Math.floor(matched / 2 ** bit) % 2 === 1;

/** A judgment to be scored. */
export interface Candidate {
  judgmentId: string;
  createdAt: number;
  /** Bit `n` is set if query word `n` was matched. */
  matched: number;
  /** Cosine of the nearest window, -1 to 1; null without a vector of the queried kind and models. */
  similarity: number | null;
  /** Model of its vectors; empty while it waits for them. */
  model: string;
}

interface Group {
  matched: number;
  model: string;
  many: number;
  nearest: Candidate[];
}

/** Counts candidates, and keeps the `keep` nearest of each group with equal words and model. */
export class CandidatePool {
  readonly #groups = new Map<string, Group>();
  readonly #keep: number;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(candidate: Candidate): void {
    const { matched, model } = candidate;
    const key = `${matched} ${model}`;
    let group = this.#groups.get(key);
    if (!group) {
      group = { matched, model, many: 0, nearest: [] };
      this.#groups.set(key, group);
    }
    group.many += 1;
    group.nearest.push(candidate);
    if (group.nearest.length >= 2 * this.#keep + 100) this.#cut(group);
  }

  get models(): Set<string> {
    return new Set([...this.#groups.values()].map(({ model }) => model));
  }

  candidates(): Candidate[] {
    for (const group of this.#groups.values()) this.#cut(group);
    return [...this.#groups.values()].flatMap(({ nearest }) => nearest);
  }

  /** Number of candidates, and how many of them match each word. */
  counts(words: number): WordCounts {
    return wordCounts(this.#groups.values(), words);
  }

  #cut(group: Group): void {
    group.nearest.sort(
      (one, other) => (other.similarity ?? -2) - (one.similarity ?? -2) || newestFirst(one, other),
    );
    group.nearest.length = Math.min(group.nearest.length, this.#keep);
  }
}

export interface WordCounts {
  total: number;
  frequencies: number[];
}

export function wordCounts(groups: Iterable<{ matched: number; many: number }>, words: number): WordCounts {
  const counts: WordCounts = { total: 0, frequencies: Array<number>(words).fill(0) };
  for (const { matched, many } of groups) {
    counts.total += many;
    for (let bit = 0; bit < words; bit++) if (hasBit(matched, bit)) counts.frequencies[bit]! += many;
  }
  return counts;
}

type Placed = Pick<Candidate, 'judgmentId' | 'createdAt'>;

const newestFirst = (one: Placed, other: Placed): number =>
  other.createdAt - one.createdAt || (one.judgmentId < other.judgmentId ? 1 : -1);

export interface Scored {
  judgmentId: string;
  /** Plain cosine; 0 without a vector to compare with. */
  similarity: number;
  score: number;
}

/**
 * The score that judgments are ranked by: the cosine plus the bonus of `wordBonuses`. The bonus is `weights.words` times
 * the squared share of the query's information that the matched words carry, plus `weights.identifiers` times the same
 * share of the names in code. The fewer judgments contain a word, the more information it carries (inverse document
 * frequency).
 */
export const scoreOf = (cosine: number, bonus: number): number => cosine + bonus;

/** The bonus of a set of matched words. Memoized, since many judgments share a set. */
export function wordBonuses(
  { total, frequencies }: WordCounts,
  words: readonly QueryWord[],
  weights: RankingWeights = WEIGHTS,
): (matched: number) => number {
  const information = frequencies.map((many) => Math.log(1 + (total - many + 0.5) / (many + 0.5)));
  const shareOf = (matched: number, counts: (word: QueryWord) => boolean): number => {
    let found = 0;
    let all = 0;
    words.forEach((word, bit) => {
      if (!counts(word)) return;
      all += information[bit]!;
      if (hasBit(matched, bit)) found += information[bit]!;
    });
    return all === 0 ? 0 : found / all;
  };
  const known = new Map<number, number>();
  return (matched) => {
    let bonus = known.get(matched);
    if (bonus === undefined) {
      bonus =
        weights.words * shareOf(matched, () => true) ** 2 +
        weights.identifiers * shareOf(matched, ({ isName }) => isName) ** 2;
      known.set(matched, bonus);
    }
    return bonus;
  };
}

/**
 * True if a judgment may be returned: it was compared by vector, it matches a word, or it has no vectors of a queried
 * model yet, so that the comparison is still to come.
 */
export const isAnswer = (
  { matched, model }: Pick<Candidate, 'matched' | 'model'>,
  hasVector: boolean,
  queriedModels: readonly string[],
): boolean => hasVector || matched !== 0 || !queriedModels.includes(model);

export interface ScoredAt extends Scored {
  createdAt: number;
}

export const byScore = (one: ScoredAt, other: ScoredAt): number =>
  other.score - one.score || newestFirst(one, other);

/** Selects the best candidates by `scoreOf`. `queriedModels` are the models that embedded the query. */
export function selectBest(
  candidates: readonly Candidate[],
  counts: WordCounts,
  {
    words,
    queriedModels,
    limit,
  }: { words: readonly QueryWord[]; queriedModels: readonly string[]; limit: number },
  weights: RankingWeights = WEIGHTS,
): Scored[] {
  const bonusOf = wordBonuses(counts, words, weights);
  return candidates
    .filter((candidate) => isAnswer(candidate, candidate.similarity !== null, queriedModels))
    .map(({ judgmentId, createdAt, matched, similarity }) => {
      const cosine = clamp(similarity ?? 0);
      return { judgmentId, createdAt, similarity: cosine, score: scoreOf(cosine, bonusOf(matched)) };
    })
    .sort(byScore)
    .slice(0, limit)
    .map(({ createdAt: _, ...scored }) => scored);
}

export const clamp = (cosine: number): number => Math.max(-1, Math.min(1, cosine));
