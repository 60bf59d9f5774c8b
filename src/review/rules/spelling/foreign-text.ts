import type { Token } from './slips.ts';

/** Words that stand in any English text, and mean nothing in other languages. */
const ENGLISH = new Set(
  (
    'the of and with that this these those you your from are our not has they their them there will can which ' +
    'who what when where how more about been would should could than then into its his her she was were'
  ).split(' '),
);
/** Fewer words say nothing of their language. */
const MIN_WORDS = 8;
/** English holds four times as many of the words above, and French that is known to the dictionaries none. */
const MAX_ENGLISH = 0.08;
/** A fifth of unknown words may be slips and names; of French, a third is unknown. */
const MIN_UNKNOWN = 0.25;

/**
 * True if the words are plainly not English; undefined if they are too few to tell. Words with capitals are
 * left out, since names are in no dictionary of any language.
 */
export function isForeign(tokens: readonly Token[], isKnown: (word: string) => boolean): boolean | undefined {
  const words = tokens.map(({ word }) => word).filter((word) => word === word.toLowerCase());
  if (words.length < MIN_WORDS) return undefined;
  const english = words.filter((word) => ENGLISH.has(word)).length;
  if (english / words.length >= MAX_ENGLISH) return false;
  const distinct = [...new Set(words)];
  return distinct.filter((word) => !isKnown(word)).length / distinct.length >= MIN_UNKNOWN;
}

/** True where the dictionaries have words in this script. */
export const isLatin = (word: string): boolean => /^[\p{Script=Latin}\p{M}'’]+$/u.test(word);

/** A language that nothing names, by BCP 47. */
export const UNDETERMINED = 'und';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });
const MAX_NAMED = 5;
const MAX_TAG = 35;

/** Languages for people, such as `German (de)`. */
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
    // A page may say anything.
    return undefined;
  }
}
