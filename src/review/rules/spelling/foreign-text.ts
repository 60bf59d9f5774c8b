import type { Token } from './word-tokens.ts';

/** The commonest English words without a meaning in other languages. */
const ENGLISH = new Set(
  (
    'the of and with that this these those you your from are our not has they their them there will can which ' +
    'who what when where how more about been would should could than then into its his her she was were'
  ).split(' '),
);
/** The language of fewer words cannot be determined. */
const MIN_WORDS = 8;
/** Maximum share of the words above in another language; typical English has four times as many. */
const MAX_ENGLISH = 0.08;
/**
 * Minimum share of unknown words in another language: a third in French, while typos and names in English make up a
 * fifth at most.
 */
const MIN_UNKNOWN = 0.25;

/**
 * True if the words are plainly not English; undefined if they are too few to tell. Capitalized words are left out,
 * since names are in no dictionary.
 */
export function isForeign(tokens: readonly Token[], isKnown: (word: string) => boolean): boolean | undefined {
  const words = tokens.map(({ word }) => word).filter((word) => word === word.toLowerCase());
  if (words.length < MIN_WORDS) return undefined;
  const english = words.filter((word) => ENGLISH.has(word)).length;
  if (english / words.length >= MAX_ENGLISH) return false;
  const distinct = [...new Set(words)];
  return distinct.filter((word) => !isKnown(word)).length / distinct.length >= MIN_UNKNOWN;
}

/** True for words in the script of the dictionaries. */
export const isLatin = (word: string): boolean => /^[\p{Script=Latin}\p{M}'’]+$/u.test(word);

/** The BCP 47 tag of an undetermined language. */
export const UNDETERMINED = 'und';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });
const MAX_NAMED = 5;
const MAX_TAG = 35;

/** Names of languages in sentences, such as `German (de)`. */
export function nameLanguages(tags: readonly string[]): string {
  const named = tags.slice(0, MAX_NAMED).map((tag) => {
    if (tag === UNDETERMINED) return 'a language that the page does not name';
    const name = nameOf(tag);
    return name === undefined ? tag.slice(0, MAX_TAG) : `${name} (${tag})`;
  });
  return tags.length > MAX_NAMED ? `${named.join(', ')} and others` : named.join(', ');
}

function nameOf(tag: string): string | undefined {
  try {
    const name = NAMES.of(tag);
    return name === tag ? undefined : name;
  } catch {
    // The tag is not valid.
    return undefined;
  }
}
