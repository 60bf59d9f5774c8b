import { quoted } from '../../store/memory/judgment-candidates.ts';

/** A word, its bit in `matched`. */
export interface Telling {
  word: string;
  bit: number;
}

/** Beyond so many words the combinations of them are more than a database compares quickly. */
export const MOST_COMBINED = 8;

/**
 * Which combinations of words lift a judgment most, as a tsquery: as many of the best as leave no more than `most` of
 * the judgments that a sample stands for. Undefined where no combination is so rare. `bonusOf` never falls when
 * a word comes to others.
 */
export function likelyWords(
  words: readonly Telling[],
  bonusOf: (matched: number) => number,
  sample: readonly number[],
  most: number,
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
    if (many > most) break;
    chosen.add(one.mask);
  }
  return anyOf(words, chosen, 0, 0);
}

/** The words from `from` on that together with those of `mask` make one of the chosen, as short as it can be said. */
function anyOf(
  words: readonly Telling[],
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
