import { isIdentifier, wordsOf } from '../../lib/text/search-words.ts';
import type { QueryWord } from '../../store/memory/judgment-candidates.ts';

export interface RankingWeights {
  /** How much the words that are found weigh beside the cosine. */
  words: number;
  /** And once more those that name one thing. */
  identifiers: number;
}

/** Chosen on one half of a set of judgments and measured on the other, see `bench/memory-quality.ts`. */
export const WEIGHTS: RankingWeights = { words: 0.2, identifiers: 0.5 };

/** As many words of a query are filtered for; of a longer one those that tell most. */
const MOST_WANTED = 40;

/** Longer ones nobody gives to anything. */
const MOST_OF_NAME = 200;

/** Names in code, which say what they are by an underscore or a capital within: `MAX_RETRIES`, `focusVisible`. */
const isCodeName = (chunk: string): boolean =>
  /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(chunk) || /\p{Ll}\p{Lu}/u.test(chunk);

/** No step of it looks at a letter more than once, whatever the query is. */
const codeNamesIn = (query: string): string[] =>
  (query.match(/[\p{L}\p{N}_]+/gu) ?? []).filter(
    (chunk) => chunk.length <= MOST_OF_NAME && isCodeName(chunk),
  );

/** The words that a query is filtered for by. */
export function queryWords(query: string): QueryWord[] {
  const codeNames = new Set(codeNamesIn(query).map((name) => wordsOf(name)[0]));
  const wanted = wordsOf(query).map((word) => ({ word, isName: isIdentifier(word) || codeNames.has(word) }));
  if (wanted.length <= MOST_WANTED) return wanted;
  const weight = ({ word, isName }: QueryWord) => word.length + (isName ? 100 : 0);
  return wanted.sort((one, other) => weight(other) - weight(one)).slice(0, MOST_WANTED);
}

export const has = (matched: number, bit: number): boolean => Math.floor(matched / 2 ** bit) % 2 === 1;

/** A judgment that was filtered at. */
export interface Candidate {
  judgmentId: string;
  createdAt: number;
  /** Bit `n` is set where word `n` was found. */
  matched: number;
  /** Cosine of the nearest window, -1 to 1; null where it has no vector of the kind and of the models asked for. */
  similarity: number | null;
  /** The model of its vectors; empty while it waits for them. */
  model: string;
}

interface Group {
  matched: number;
  model: string;
  many: number;
  nearest: Candidate[];
}

/** Counts what was filtered at, and keeps of those alike in their words and model the `keep` nearest. */
export class Tally {
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

  /** How many were filtered at, and in how many each of so many words was found. */
  counts(words: number): Counts {
    return countsOf(this.#groups.values(), words);
  }

  #cut(group: Group): void {
    group.nearest.sort(
      (one, other) => (other.similarity ?? -2) - (one.similarity ?? -2) || newestFirst(one, other),
    );
    group.nearest.length = Math.min(group.nearest.length, this.#keep);
  }
}

export interface Counts {
  total: number;
  frequencies: number[];
}

export function countsOf(groups: Iterable<{ matched: number; many: number }>, words: number): Counts {
  const counts: Counts = { total: 0, frequencies: Array<number>(words).fill(0) };
  for (const { matched, many } of groups) {
    counts.total += many;
    for (let bit = 0; bit < words; bit++) if (has(matched, bit)) counts.frequencies[bit]! += many;
  }
  return counts;
}

type Placed = Pick<Candidate, 'judgmentId' | 'createdAt'>;

const newestFirst = (one: Placed, other: Placed): number =>
  other.createdAt - one.createdAt || (one.judgmentId < other.judgmentId ? 1 : -1);

export interface Scored {
  judgmentId: string;
  /** Plain cosine; 0 where there is no vector to compare with. */
  similarity: number;
  score: number;
}

/** What is added to the cosine of what has the words of `matched`, the same whoever has them. */
export function bonuses(
  { total, frequencies }: Counts,
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
      if (has(matched, bit)) found += information[bit]!;
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

/** Whether a judgment can be an answer: one that has nothing to compare counts by its words, or while it waits for vectors. */
export const isAnswer = (
  { matched, model }: Pick<Candidate, 'matched' | 'model'>,
  hasVector: boolean,
  asked: readonly string[],
): boolean => hasVector || matched !== 0 || !asked.includes(model);

export interface ScoredAt extends Scored {
  createdAt: number;
}

export const bestFirst = (one: ScoredAt, other: ScoredAt): number =>
  other.score - one.score || newestFirst(one, other);

/**
 * The best of what was filtered at: cosine, plus the square of the share of the query's information whose words are
 * found, plus the same over the words that name one thing. A word tells the more the fewer judgments have it.
 * `asked` are the models that the query was asked of.
 */
export function best(
  candidates: readonly Candidate[],
  counts: Counts,
  { words, asked, limit }: { words: readonly QueryWord[]; asked: readonly string[]; limit: number },
  weights: RankingWeights = WEIGHTS,
): Scored[] {
  const bonusOf = bonuses(counts, words, weights);
  return candidates
    .filter((candidate) => isAnswer(candidate, candidate.similarity !== null, asked))
    .map(({ judgmentId, createdAt, matched, similarity }) => {
      const cosine = clamp(similarity ?? 0);
      return { judgmentId, createdAt, similarity: cosine, score: cosine + bonusOf(matched) };
    })
    .sort(bestFirst)
    .slice(0, limit)
    .map(({ createdAt: _, ...scored }) => scored);
}

export const clamp = (cosine: number): number => Math.max(-1, Math.min(1, cosine));
