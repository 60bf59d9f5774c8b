import { isFunctionWord } from './formed-words.ts';
import type { Language } from './languages.ts';
import type { NearWord, Slip } from './near-words.ts';
import type { WordUse } from './site-words.ts';
import type { WordLookup } from './speller.ts';
import { isForeignWord, type Token } from './word-tokens.ts';

/** The context of an unknown word. */
export interface WordContext {
  language: Language;
  text: string;
  tokens: readonly Token[];
  index: number;
  isItalic: boolean;
  /** Occurrences on the page with the same case, and with any case. */
  sameForm: number;
  anyForm: number;
  /** Number of words of the passage that are unknown and no common misspellings. */
  strange: number;
  /** True if there is a token at the index, and it is a name or unknown. */
  isName(index: number): boolean;
  /** Occurrences of a word on the page. */
  countOf(word: string): number;
  /** The use of the word itself, and of any word, on the site. */
  useOf(word: string): WordUse | undefined;
}

export interface Mistake {
  /** Probability in percent that it is a mistake. */
  confidence: number;
  suggestions: string[];
}

const CALENDAR =
  /^(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|August|September|October|November|December|Christmas|English|European|British|American)s?$/i;

type Scale = Record<Slip, readonly (readonly [length: number, confidence: number])[]>;

/** Confidence in a typo of a common word, by the number of letters from which on it holds. */
const COMMON: Scale = {
  swap: [
    [5, 96],
    [4, 92],
  ],
  double: [
    [6, 96],
    [5, 94],
    [4, 82],
  ],
  missing: [
    [7, 96],
    [6, 95],
    [5, 90],
    [4, 72],
  ],
  extra: [
    [8, 94],
    [7, 92],
    [6, 88],
    [5, 82],
    [4, 62],
  ],
  accent: [[4, 94]],
  vowel: [
    [7, 95],
    [6, 93],
    [5, 87],
    [4, 68],
  ],
  letter: [
    [8, 94],
    [7, 92],
    [6, 87],
    [5, 74],
  ],
  split: [[5, 85]],
  far: [
    [9, 82],
    [8, 76],
  ],
};
const RARE: Scale = {
  swap: [
    [7, 93],
    [6, 90],
    [5, 78],
  ],
  double: [
    [8, 93],
    [7, 91],
    [6, 87],
    [5, 72],
  ],
  missing: [
    [9, 91],
    [8, 88],
    [7, 82],
    [6, 68],
  ],
  extra: [
    [9, 90],
    [8, 84],
    [7, 72],
  ],
  accent: [[5, 87]],
  vowel: [
    [9, 91],
    [8, 87],
    [7, 78],
    [6, 62],
  ],
  letter: [
    [9, 86],
    [8, 76],
    [7, 62],
  ],
  split: [],
  far: [],
};
const LISTED = 97;
/** Short words are names as well, unless they are misspellings of very common ones. */
const SHORT = [
  { letters: 4, rank: 300 },
  { letters: 5, rank: 2_000 },
];
const LISTED_SHORT = 80;

/** Decides whether an unknown word is a mistake; undefined if it is none. */
export function assessWord(word: string, lookup: WordLookup, context: WordContext): Mistake | undefined {
  const { text, tokens, index, language } = context;
  const { preferred, near } = lookup;
  const isListed = preferred.length > 0;
  const token = tokens[index]!;
  if (!isWritable(word, language) || word.length < (isListed ? 3 : 4)) return undefined;
  if (!isListed && (near.length === 0 || lookup.rank !== undefined || word.includes("'"))) return undefined;
  if (isForeignPassage(context)) return undefined;
  const isHyphenated = /[-–—/]/.test(text[token.from - 1] ?? '') || /[-–—/]/.test(text[token.to] ?? '');
  if (isHyphenated && (word.length < 6 || !isListed)) return undefined;
  const isLabel = tokens.length === 1 && !isListed;

  // A name with parentheses is a function.
  if (text[token.to] === '(' && (text[token.to + 1] === ')' || word.length < 5)) return undefined;

  const isLower = word === word.toLowerCase();
  const isUpper = word === word.toUpperCase();
  const isCapital = !isLower && !isUpper && word.slice(1) === word.slice(1).toLowerCase();
  if (!isLower && !isUpper && !isCapital) return undefined;
  const use = context.useOf(word.toLowerCase());
  if (use?.code === 'inline' || (use?.code === 'block' && !isListed)) return undefined;

  const suggestions = [...preferred, ...near.map((one) => one.word)];
  // A suggestion that is a name is no correction.
  const named = suggestions.filter(
    (one) => language.tag !== 'en' || one === one.toLowerCase() || CALENDAR.test(one),
  );
  if (!isLower && named.length === 0) return undefined;
  const base = isListed ? listedConfidence(word, lookup) : confidenceOf(word, near[0]!, context);
  const mistake = {
    confidence:
      base +
      evidence(word, isListed, suggestions[0]!, context) -
      (isHyphenated ? 15 : 0) -
      (isLabel && isLower ? 10 : 0),
    suggestions,
  };
  if (isLower) return isListed || isSlipOfLower(lookup, context) ? capped(mistake) : undefined;
  if (isUpper)
    return isListed && isShouted(word, context) ? capped({ ...mistake, confidence: 85 }) : undefined;
  return judgeCapital(word, lookup, { ...mistake, suggestions: named }, context);
}

const capped = ({ confidence, suggestions }: Mistake): Mistake => ({
  confidence: Math.max(1, Math.min(99, confidence)),
  suggestions,
});

/** True for the letters of the language. */
function isWritable(word: string, { letters, tag }: Language): boolean {
  const plainWord = word.replaceAll("'", '').toLowerCase();
  return tag === 'en'
    ? /^[a-z]+$/.test(plainWord)
    : [...plainWord].every((letter) => letters.includes(letter));
}

function listedConfidence(
  word: string,
  { preferred, preferredRank = Number.POSITIVE_INFINITY }: WordLookup,
): number {
  if (preferred[0]!.includes("'")) return LISTED;
  const isLower = word === word.toLowerCase();
  const isShort = SHORT.some(
    ({ letters, rank }) => word.length === letters && preferredRank >= rank && !(isLower && letters > 4),
  );
  return isShort ? LISTED_SHORT : LISTED;
}

function confidenceOf(word: string, best: NearWord, { countOf, useOf }: WordContext): number {
  const length = [...word].length;
  const isCommonHere = countOf(best.word) > 0 || (useOf(best.word)?.pages ?? 0) >= 3;
  const scale = best.rank !== undefined || isCommonHere || best.slip === 'split' ? COMMON : RARE;
  return scale[best.slip].find(([least]) => length >= least)?.[1] ?? 50;
}

/** Evidence of the page and the site about a word and the likely one. */
function evidence(word: string, isListed: boolean, best: string, context: WordContext): number {
  const own = context.useOf(word.toLowerCase());
  const meant = context.useOf(best.toLowerCase());
  const onPage = context.countOf(best);
  let sum = 0;
  // Names of programs add a letter to a word: cupsd.
  if (!isListed && word.toLowerCase().slice(0, -1) === best && word.at(-1) !== word.at(-2)) sum -= 12;
  // The first letter is rarely wrong.
  if (!isListed && best[0] !== word[0]!.toLowerCase()) sum -= 15;
  if (!isListed && context.isItalic) sum -= 30;
  if (!isListed && (context.isName(context.index - 1) || context.isName(context.index + 1))) sum -= 10;
  // A word that is used again and again is used on purpose, unless the right one is far more frequent.
  const isRival = onPage >= 4 * context.anyForm || (meant?.pages ?? 0) >= 10 * Math.max(1, own?.pages ?? 1);
  if (own && own.pages >= 3 && own.contexts >= 3 && !isRival) sum -= isListed ? 5 : 40;
  if (context.anyForm >= 3 && !isRival) sum -= isListed ? (context.anyForm >= 5 ? 15 : 2) : 30;
  if (!isListed && context.anyForm === 1 && onPage > 0) sum += 2;
  if (!isListed && context.anyForm === 2 && !isRival) sum -= 12;
  if (isMentioned(context)) sum -= 20;
  return sum;
}

/** True for a word in quotation marks of its own, which a text mentions and does not use. */
const isMentioned = ({ text, tokens, index }: WordContext): boolean =>
  /["'“”„«‘]/.test(text[tokens[index]!.from - 1] ?? '') && /["'”“»’]/.test(text[tokens[index]!.to] ?? '');

/** False for words that are formed by rule from known ones, and for two words that a term may join. */
function isSlipOfLower({ near, isFormed }: WordLookup, { language }: WordContext): boolean {
  const best = near[0]!;
  if (isFormed && language.tag !== 'en') return false;
  if (best.slip === 'split') return language.tag === 'en' && best.word.split(' ').every(isFunctionWord);
  return !isFormed || (best.rank !== undefined && (best.slip === 'swap' || best.slip === 'double'));
}

function isShouted(word: string, { tokens, sameForm }: WordContext): boolean {
  const shouted = tokens.filter((one) => one.word.length > 3 && one.word === one.word.toUpperCase());
  return word.length >= 5 && shouted.length >= 2 && sameForm <= 1;
}

function judgeCapital(
  word: string,
  lookup: WordLookup,
  { confidence, suggestions }: Mistake,
  context: WordContext,
): Mistake | undefined {
  const { tokens, index, language } = context;
  const isListed = lookup.preferred.length > 0;
  const best = suggestions[0]!;
  const { opens } = tokens[index]!;
  const long = tokens.filter((token) => token.word.length > 2);
  const capitals = long.filter((token) => /^\p{Lu}\p{Ll}/u.test(token.word));
  const isTitle = long.length > 1 && capitals.length / long.length >= 0.6;
  const isAlone = tokens.length === 1;
  // Footers list names of places and companies without sentences.
  const isProse = /[.!?]\s+\S/.test(context.text);
  const isNoun = language.hasCapitalNouns === true && !isTitle;
  if (!opens && !isTitle && !isNoun) {
    return isListed && CALENDAR.test(best) ? { confidence: 92, suggestions: [best] } : undefined;
  }
  // Names are repeated more often than mistakes.
  if (context.anyForm > 1 && !(isListed && word.length >= 6)) return undefined;
  const next = tokens[index + 1];
  const isFullName = !isTitle && !isNoun && next !== undefined && /^\p{Lu}/u.test(next.word);
  if (isFullName && !(isListed && word.length >= 6)) return undefined;
  if (isListed && word.length < 6 && (isTitle || !opens)) return undefined;
  if (isListed) return word.length >= 4 || opens ? { confidence: confidence - 5, suggestions } : undefined;
  const slip = lookup.near[0]!;
  const keepsInitial = best[0]!.toLowerCase() === word[0]!.toLowerCase() && !best.includes(' ');
  const isPlain = slip.slip === 'swap' || slip.slip === 'double';
  const least = isTitle || isNoun ? (isPlain ? 5 : 7) : 7;
  if (word.length < least || !keepsInitial || isAlone || (isTitle && isProse)) return undefined;
  if (context.isName(index - 1) || context.isName(index + 1)) return undefined;
  if (!isSlipOfLower(lookup, context)) return undefined;
  return capped({ confidence: confidence - (isNoun ? 3 : slip.rank === undefined ? 20 : 6), suggestions });
}

/** True if the passage, or the words around this one, are in another language than the page. */
function isForeignPassage({ tokens, index, strange, language }: WordContext): boolean {
  if (strange >= 3 && strange / tokens.length > 0.4) return true;
  if (strange >= 2 && strange / tokens.length > 0.5) return true;
  if (language.tag !== 'en') return false;
  const around = tokens.slice(Math.max(0, index - 3), index + 4);
  const foreign = around.filter(
    ({ word }) => isForeignWord(word) && !/^(in|die|des|a|on|do|no)$/i.test(word),
  );
  return foreign.length >= 2 || (foreign.length === 1 && tokens.length <= 4 && strange > 0);
}
