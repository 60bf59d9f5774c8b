import { isIdentifier, wordsOf } from '../lib/search-words.ts';
import type { Candidate, WantedWord } from '../store/judgment-ranking.ts';

export interface RankingWeights {
  /** How much the words that are found weigh beside the cosine. */
  words: number;
  /** And once more those that name one thing. */
  identifiers: number;
}

/** Chosen on one half of a set of judgments and measured on the other, see `bench/memory-quality.ts`. */
export const WEIGHTS: RankingWeights = { words: 0.2, identifiers: 0.5 };

/** As many words of a query are looked for; of a longer one those that tell most. */
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

/** The words that a query is looked for by. */
export function wantedWords(query: string): WantedWord[] {
  const codeNames = new Set(codeNamesIn(query).map((name) => wordsOf(name)[0]));
  const wanted = wordsOf(query).map((word) => ({ word, isName: isIdentifier(word) || codeNames.has(word) }));
  if (wanted.length <= MOST_WANTED) return wanted;
  const weight = ({ word, isName }: WantedWord) => word.length + (isName ? 100 : 0);
  return wanted.sort((one, other) => weight(other) - weight(one)).slice(0, MOST_WANTED);
}

export const has = (matched: number, bit: number): boolean => Math.floor(matched / 2 ** bit) % 2 === 1;

/** Counts which words are how frequent, and keeps those that may be among the best. */
export interface Tally {
  /** How many judgments were read. */
  total: number;
  /** In how many each word was found. */
  frequencies: number[];
  candidates: Candidate[];
  /** The models of what was read. */
  models: Set<string>;
  /** The models that the query was asked of. */
  asked: readonly string[];
}

export const emptyTally = (words: readonly WantedWord[], asked: readonly string[]): Tally => ({
  total: 0,
  frequencies: words.map(() => 0),
  candidates: [],
  models: new Set(),
  asked,
});

/** Adds what a slice found. */
export function count(tally: Tally, candidates: readonly Candidate[]): void {
  const seen = new Set<string>();
  for (const candidate of candidates) {
    const { matched, model, alike } = candidate;
    tally.candidates.push(candidate);
    const group = `${matched} ${model}`;
    if (seen.has(group)) continue;
    seen.add(group);
    tally.total += alike;
    tally.models.add(model);
    tally.frequencies.forEach((_, bit) => {
      if (has(matched, bit)) tally.frequencies[bit]! += alike;
    });
  }
}

export interface Scored {
  judgmentId: string;
  /** Plain cosine; 0 where there is no vector to compare with. */
  similarity: number;
  score: number;
}

/** What is added to the cosine of what has the words of `matched`, the same whoever has them. */
export function bonuses(
  { total, frequencies }: Pick<Tally, 'total' | 'frequencies'>,
  words: readonly WantedWord[],
  weights: RankingWeights = WEIGHTS,
): (matched: number) => number {
  const information = frequencies.map((many) => Math.log(1 + (total - many + 0.5) / (many + 0.5)));
  const shareOf = (matched: number, counts: (word: WantedWord) => boolean): number => {
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

/**
 * The best of what was counted: cosine, plus the square of the share of the query's information whose words are
 * found, plus the same over the words that name one thing. A word tells the more the fewer judgments of the scope have it.
 * One that has nothing to be compared with counts by its words, and is there without them while it waits for a vector.
 */
export function best(
  { total, frequencies, candidates, asked }: Tally,
  words: readonly WantedWord[],
  limit: number,
  weights: RankingWeights = WEIGHTS,
): Scored[] {
  const bonusOf = bonuses({ total, frequencies }, words, weights);
  return candidates
    .filter(
      ({ similarity, matched, model }) => similarity !== null || matched !== 0 || !asked.includes(model),
    )
    .map((candidate) => {
      const similarity = Math.max(-1, Math.min(1, candidate.similarity ?? 0));
      return { candidate, similarity, score: similarity + bonusOf(candidate.matched) };
    })
    .sort(
      (one, other) =>
        other.score - one.score ||
        other.candidate.createdAt - one.candidate.createdAt ||
        (one.candidate.judgmentId < other.candidate.judgmentId ? 1 : -1),
    )
    .slice(0, limit)
    .map(({ candidate: { judgmentId }, similarity, score }) => ({ judgmentId, similarity, score }));
}
