import { quoted } from '../../store/memory/judgment-candidates.ts';

/** A query word and its bit in `matched`. */
export interface WordBit {
  word: string;
  bit: number;
}

/** Upper bound of words whose combinations a database compares quickly. */
export const MAX_COMBINED = 8;

/**
 * Selects the word combinations with the highest bonus as a tsquery, as many as match at most `max` judgments of the
 * sample. Undefined if no combination is that rare. `bonusOf` must not fall when a word is added.
 */
export function combinationQuery(
  words: readonly WordBit[],
  bonusOf: (matched: number) => number,
  sample: readonly number[],
  max: number,
): string | undefined {
  const combinations = Array.from({ length: 2 ** words.length }, (_, mask) => {
    const bits = words.reduce((sum, { bit }, index) => sum + (mask & (2 ** index) ? 2 ** bit : 0), 0);
    return { mask, bonus: bonusOf(bits), many: 0 };
  });
  for (const matched of sample) {
    const mask = words.reduce(
      (sum, { bit }, index) => sum + (Math.floor(matched / 2 ** bit) % 2 === 1 ? 2 ** index : 0),
      0,
    );
    combinations[mask]!.many += 1;
  }
  const chosen = new Set<number>();
  let many = 0;
  for (const one of combinations.slice(1).sort((a, b) => b.bonus - a.bonus)) {
    many += one.many;
    if (many > max) break;
    chosen.add(one.mask);
  }
  return anyOf(words, chosen, 0, 0);
}

/**
 * A tsquery for every chosen combination that contains `mask` and any words from `from` on; common prefixes are shared.
 */
function anyOf(
  words: readonly WordBit[],
  chosen: ReadonlySet<number>,
  mask: number,
  from: number,
): string | undefined {
  if (chosen.has(mask)) return '';
  if (from === words.length) return undefined;
  const without = anyOf(words, chosen, mask, from + 1);
  const rest = anyOf(words, chosen, mask | (2 ** from), from + 1);
  if (rest === undefined) return without;
  const word = quoted(words[from]!.word);
  const withIt = rest === '' ? word : `${word}&(${rest})`;
  return without === undefined ? withIt : `${withIt}|${without}`;
}
