import type { WordLookup } from './speller.ts';
import { isForeignWord, type Token } from './word-tokens.ts';

/** The context of an unknown word. */
export interface WordContext {
  text: string;
  tokens: readonly Token[];
  index: number;
  isHeading: boolean;
  isItalic: boolean;
  /** Occurrences on the page with the same case, and with any case. */
  sameForm: number;
  anyForm: number;
  /** Number of words of the passage that are unknown and no common misspellings. */
  strange: number;
  /** True if there is a token at the index, and it is a name or unknown. */
  isName(index: number): boolean;
}

const FUNCTION_WORD =
  /^(the|of|in|to|and|for|with|our|your|is|are|will|be|by|on|at|from|this|that|please|you|we|it|as|or|can|has|have|was|not|all|more|their|my|his)$/;
const PREFIX =
  /^(un|re|non|pre|post|multi|micro|macro|mini|mega|auto|anti|cyber|tele|omni|inter|intra|over|under|out|sub|super|semi|co|de|dis|bio|eco|geo|neuro|photo|electro|hydro|thermo|ultra|hyper|self|pseudo)(?=.{4})/;

const CALENDAR =
  /^(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|August|September|October|November|December|Christmas|English|European|British|American)s?$/i;

/** Decides whether an unknown word is a mistake; undefined if it is none. */
export function assessWord(
  word: string,
  { preferred, near }: WordLookup,
  context: WordContext,
): { confidence: number; suggestions: string[] } | undefined {
  const suggestions = [...preferred, ...near];
  const isListed = preferred.length > 0;
  const token = context.tokens[context.index]!;
  if (/[^\p{ASCII}]/u.test(word.replaceAll("'", ''))) return undefined;
  if (word.length < (isListed ? 3 : 4) || suggestions.length === 0) return undefined;
  if (isForeignPassage(context)) return undefined;
  const { text } = context;
  const isHyphenated = /[-–—/]/.test(text[token.from - 1] ?? '') || /[-–—/]/.test(text[token.to] ?? '');
  if (isHyphenated && (word.length < 6 || !isListed)) return undefined;

  const isLower = word === word.toLowerCase();
  const isUpper = word === word.toUpperCase();
  const isCapital = !isLower && !isUpper && word.slice(1) === word.slice(1).toLowerCase();
  if (!isLower && !isUpper && !isCapital) return undefined;
  // A suggestion that is a name is no correction.
  const named = suggestions.filter((one) => one === one.toLowerCase() || CALENDAR.test(one));
  if (isLower) return judgeLower(word, isListed, suggestions, context);
  if (named.length === 0) return undefined;
  if (isUpper) {
    const isShouted = context.tokens.filter(
      (one) => one.word.length > 3 && one.word === one.word.toUpperCase(),
    );
    if (word.length < 5 || isShouted.length < 2 || context.sameForm > 1) return undefined;
    return isListed ? { confidence: 85, suggestions: named } : undefined;
  }
  return judgeCapital(word, isListed, named, context);
}

function judgeLower(word: string, isListed: boolean, suggestions: string[], context: WordContext) {
  if (isListed) return { confidence: 95, suggestions };
  // A page that repeats a word uses it on purpose.
  if (context.anyForm >= 3) return undefined;
  if (context.isItalic) return undefined;
  const best = suggestions[0]!;
  const parts = best.split(' ');
  if (parts.length === 2) {
    const isRunTogether = parts.some((part) => FUNCTION_WORD.test(part));
    return isRunTogether ? { confidence: 80, suggestions } : undefined;
  }
  const isCompound = suggestions.some((one) => {
    const two = one.split(' ');
    return two.length === 2 && two.every((part) => part.length >= 4 && !FUNCTION_WORD.test(part));
  });
  if (isCompound && !isSlip(word, best)) return undefined;
  const stem = word.replace(PREFIX, '');
  if (stem !== word && suggestions.some((one) => one.includes(' ') && one.endsWith(` ${stem}`)))
    return undefined;
  return { confidence: word.length > 5 ? 85 : 75, suggestions };
}

function judgeCapital(word: string, isListed: boolean, suggestions: string[], context: WordContext) {
  const { tokens, index } = context;
  const best = suggestions[0]!;
  const { opens } = tokens[index]!;
  const long = tokens.filter((token) => token.word.length > 2);
  const capitals = long.filter((token) => /^\p{Lu}\p{Ll}/u.test(token.word));
  const isTitle = long.length > 1 && capitals.length / long.length >= 0.6;
  const isAlone = tokens.length === 1;
  // Footers list names of places and companies without sentences.
  const isProse = /[.!?]\s+\S/.test(context.text);
  if (!opens && !isTitle) {
    return isListed && CALENDAR.test(best) ? { confidence: 85, suggestions: [best] } : undefined;
  }
  // Names are repeated more often than mistakes.
  if (context.anyForm > 1 && !(isListed && word.length >= 6)) return undefined;
  const next = tokens[index + 1];
  const isFullName = !isTitle && next !== undefined && /^\p{Lu}/u.test(next.word);
  if (isFullName && !(isListed && word.length >= 6)) return undefined;
  if (isListed) return word.length >= 4 || opens ? { confidence: 85, suggestions } : undefined;
  const keepsInitial = best[0] === word[0]!.toLowerCase() && !best.includes(' ');
  const least = isTitle ? (isSlip(word.toLowerCase(), best) ? 5 : 6) : 7;
  if (word.length < least || !keepsInitial || isAlone || (isTitle && isProse)) return undefined;
  if (context.isName(index - 1) || context.isName(index + 1)) return undefined;
  return { confidence: 65, suggestions };
}

/** True for swapped letters, and for a letter that is doubled or lacks its double. */
function isSlip(word: string, meant: string): boolean {
  if ([...word].sort().join('') === [...meant].sort().join('')) return true;
  return word.replace(/(.)\1/g, '$1') === meant.replace(/(.)\1/g, '$1');
}

/** True if the passage, or the words around this one, are in another language than the page. */
function isForeignPassage({ tokens, index, strange }: WordContext): boolean {
  if (strange >= 3 && strange / tokens.length > 0.4) return true;
  if (strange >= 2 && strange / tokens.length > 0.5) return true;
  const around = tokens.slice(Math.max(0, index - 3), index + 4);
  const foreign = around.filter(
    ({ word }) => isForeignWord(word) && !/^(in|die|des|a|on|do|no)$/i.test(word),
  );
  return foreign.length >= 2 || (foreign.length === 1 && tokens.length <= 4 && strange > 0);
}
