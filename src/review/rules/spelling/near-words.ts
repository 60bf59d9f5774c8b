/** The difference of a typo from the word that was meant. */
export type Slip = 'swap' | 'double' | 'missing' | 'extra' | 'accent' | 'vowel' | 'letter' | 'split' | 'far';

/** A word that an unknown word may be meant to be. */
export interface NearWord {
  word: string;
  slip: Slip;
  /** Place among the commonest words of the language, from 0; absent for rarer words. */
  rank?: number;
}

export interface NearWordSource {
  letters: readonly string[];
  /** True for words in the dictionary in just this case. */
  has(word: string): boolean;
  /** The commonest words with their ranks. */
  ranks: ReadonlyMap<string, number>;
  /** The commonest words by their first letters. */
  byInitial: ReadonlyMap<string, readonly string[]>;
}

const MAX_NEAR = 5;
/** A word of more letters is no word. */
const MAX_LENGTH = 40;
const COSTS: Record<Slip, number> = {
  ...{ swap: 1, double: 1, accent: 1, missing: 2, extra: 3, vowel: 2, letter: 3, split: 4, far: 6 },
};

const plainLetters = (word: string): string =>
  word.normalize('NFD').replace(/\p{M}/gu, '').replace('œ', 'oe');

/** Known words at an edit distance of one, the likeliest typos of common words first; at two if there are none. */
export function nearWords(word: string, source: NearWordSource): NearWord[] {
  if (word.length > MAX_LENGTH) return [];
  const { letters, has, ranks } = source;
  const found = new Map<string, { slip: Slip; cost: number }>();
  const offer = (candidate: string, slip: Slip, penalty: number) => {
    const cost = COSTS[slip] + penalty;
    const known = found.get(candidate);
    if (known && known.cost <= cost) return;
    if (known || has(candidate)) found.set(candidate, { slip, cost });
  };
  for (let at = 0; at <= word.length; at += 1) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    // The first letter is rarely wrong.
    const penalty = at === 0 ? 4 : 0;
    if (tail.length > 1) offer(head + tail[1] + tail[0] + tail.slice(2), 'swap', penalty);
    if (tail.length > 0) offer(head + tail.slice(1), tail[0] === head.at(-1) ? 'double' : 'extra', penalty);
    for (const letter of letters) {
      const isDoubling = letter === head.at(-1) || letter === tail[0];
      offer(head + letter + tail, isDoubling ? 'double' : letter === "'" ? 'accent' : 'missing', penalty);
      if (tail.length > 0) offer(head + letter + tail.slice(1), substitution(letter, tail[0]!), penalty);
    }
    if (at > 1 && tail.length > 1 && ranks.has(head) && ranks.has(tail) && has(head) && has(tail)) {
      found.set(`${head} ${tail}`, { slip: 'split', cost: COSTS.split });
    }
  }
  found.delete(word);
  if (found.size === 0 && word.length >= 8) {
    for (const candidate of source.byInitial.get(word[0]!) ?? []) {
      if (Math.abs(candidate.length - word.length) <= 2 && isTwoAway(word, candidate) && has(candidate))
        found.set(candidate, { slip: 'far', cost: COSTS.far });
    }
  }
  const weight = (candidate: string, cost: number) => {
    const rank = ranks.get(candidate);
    return cost + (rank === undefined ? 3 : rank / 5_000);
  };
  return [...found]
    .sort((one, other) => weight(one[0], one[1].cost) - weight(other[0], other[1].cost))
    .slice(0, MAX_NEAR)
    .map(([candidate, { slip }]) => {
      const rank = ranks.get(candidate);
      return { word: candidate, slip, ...(rank !== undefined && { rank }) };
    });
}

function substitution(letter: string, written: string): Slip {
  if (letter !== written && plainLetters(letter) === plainLetters(written)) return 'accent';
  return /[aeiouy]/.test(letter) && /[aeiouy]/.test(written) ? 'vowel' : 'letter';
}

/** True if two words differ by two edits; swapped neighbors are one. */
function isTwoAway(one: string, other: string): boolean {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    if (Math.min(...row) > 2) return false;
    before = last;
    last = row;
  }
  return last[other.length]! <= 2;
}
