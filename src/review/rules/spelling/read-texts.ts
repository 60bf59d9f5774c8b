import type { Label, PageWords } from '../../../lib/page-words/page-words.ts';
import { type Passage, passagesOf, runAt } from '../passages.ts';
import { latinFiller } from '../placeholder/latin-filler.ts';
import { isLatin, type Language, languageOf, primaryOf, UNDETERMINED } from './languages.ts';
import type { Speller, WordLookup } from './speller.ts';
import { type Token, tokensOf } from './word-tokens.ts';

/** A passage or label of a page with the words that are checked. */
export interface CheckedText {
  text: string;
  tokens: Token[];
  language: Language;
  passage?: Passage;
  label?: Label;
}

export interface ReadTexts {
  texts: CheckedText[];
  /** Answers of the dictionaries by language and word, see `plain`. */
  lookups: ReadonlyMap<Language, ReadonlyMap<string, WordLookup>>;
  wordsChecked: number;
  /** Words in languages without a dictionary, by BCP 47 tag. */
  passedOver: ReadonlyMap<string, number>;
}

interface Text extends Omit<CheckedText, 'language'> {
  /** Language that the page names. */
  tag: string;
}

const MAX_WORDS = 20_000;
/** Further texts have the language of their page. */
const MAX_IDENTIFIED = 500;
const MAX_IDENTIFIED_CHARS = 1_000;
const MAX_PAGE_CHARS = 20_000;
/** The language of fewer words cannot be determined. */
const MIN_WORDS = 8;
/** Minimum share of unknown words in a text of another language; typos and names make up a fifth at most. */
const MIN_UNKNOWN = 0.25;

/** Reads the texts of a page with their languages, and looks their words up. */
export async function readTexts(words: PageWords, speller: Speller): Promise<ReadTexts> {
  const passedOver = new Map<string, number>();
  const passOver = (tag: string, count: number) => {
    if (count > 0) passedOver.set(tag, (passedOver.get(tag) ?? 0) + count);
  };
  const found = collect(words, (tag, count) => passOver(tag, count));
  const identified = await identify(found, speller);
  const pageTag = pageLanguage(words.lang, identified.page);
  const read: Omit<ReadTexts, 'passedOver'> & { lookups: Map<Language, Map<string, WordLookup>> } = {
    ...{ texts: [], lookups: new Map(), wordsChecked: 0 },
  };
  const lookUp = (texts: readonly Text[], language: Language) =>
    lookUpAll(texts, language, speller, read.lookups);
  /** Texts that do not read as the language that they should have; they wait for the languages that others do have. */
  const doubtful: { text: Text; tag: string }[] = [];
  const byTag = Map.groupBy(found, ({ tag }) =>
    tag === '' || primaryOf(tag) === primaryOf(words.lang) ? pageTag : tag,
  );
  const accept = (text: Text, language: Language) => {
    read.wordsChecked += text.tokens.length;
    const { tag, ...kept } = text;
    read.texts.push({ ...kept, language });
  };
  for (const [tag, texts] of byTag) {
    const language = languageOf(tag);
    if (language) await lookUp(texts, language);
    for (const text of texts) {
      const other = identified.byText.get(text) ?? '';
      const isOther = other !== '' && other !== primaryOf(tag);
      if (language && !isOther) {
        if (isStrange(text, read.lookups.get(language)!, language))
          doubtful.push({ text, tag: identified.page });
        else accept(text, language);
      } else if (language && !isStrange(text, read.lookups.get(language)!, language)) accept(text, language);
      else if (isOther) doubtful.push({ text, tag: other });
      else passOver(tag === '' ? UNDETERMINED : tag, text.tokens.length);
    }
  }
  for (const [tag, group] of Map.groupBy(doubtful, (one) => one.tag)) {
    const texts = group.map(({ text }) => text);
    const language = languageOf(tag);
    if (language) await lookUp(texts, language);
    for (const text of texts) {
      if (language && !isStrange(text, read.lookups.get(language)!, language)) accept(text, language);
      else passOver(language ? UNDETERMINED : tag || UNDETERMINED, text.tokens.length);
    }
  }
  await forgiveOtherLanguages(read, languageOf(words.lang), speller);
  return { ...read, passedOver };
}

/** Takes words for known that are known in English or in another language of the page, since pages mix them. */
async function forgiveOtherLanguages(
  { texts, lookups }: { texts: CheckedText[]; lookups: Map<Language, Map<string, WordLookup>> },
  named: Language | undefined,
  speller: Speller,
): Promise<void> {
  const counts = new Map<Language, number>();
  for (const { language, tokens } of texts) counts.set(language, (counts.get(language) ?? 0) + tokens.length);
  const main = [...counts].filter(([, count]) => count >= MIN_WORDS).map(([language]) => language);
  for (const [language, known] of lookups) {
    for (const other of new Set([...main, ...(named ? [named] : []), languageOf('en')!])) {
      if (other === language || counts.get(language) === undefined) continue;
      // The common misspellings are English, and some are words of other languages.
      const unknown = [...known].filter(
        ([, lookup]) => !lookup.known && (lookup.preferred.length === 0 || other.tag !== 'en'),
      );
      if (unknown.length === 0) continue;
      const answers = await speller.lookUp(
        unknown.map(([word]) => word),
        other.tag,
      );
      for (const [index, [word, lookup]] of unknown.entries())
        if (answers[index]!.known) known.set(word, { ...lookup, known: true });
    }
  }
}

function collect(words: PageWords, passOver: (tag: string, count: number) => void): Text[] {
  const found: Text[] = [];
  let left = MAX_WORDS;
  const add = (text: Text) => {
    const readable = text.tokens.filter(({ word }) => isLatin(word)).slice(0, Math.max(0, left));
    left -= readable.length;
    passOver(text.tag || UNDETERMINED, text.tokens.filter(({ word }) => !isLatin(word)).length);
    if (readable.length > 0) found.push({ ...text, tokens: readable });
  };
  for (const passage of passagesOf(words)) {
    const fillers = latinFiller(passage.text);
    const tokens = tokensOf(passage.text).filter(
      (token) =>
        !runAt(passage, token.from).marks.includes('code') &&
        !fillers.some(({ from, to }) => from <= token.from && token.to <= to),
    );
    const byTag = Map.groupBy(tokens, (token) => runAt(passage, token.from).lang);
    for (const [tag, group] of byTag) add({ text: passage.text, tokens: group, passage, tag });
  }
  for (const label of words.labels) {
    // The value of a form field is the visitor's text.
    if (label.attribute === 'value') continue;
    add({ text: label.text, tokens: tokensOf(label.text), label, tag: label.lang || words.lang });
  }
  return found;
}

/** The languages of the page and of each text with enough words, by their words; empty if undetermined. */
async function identify(texts: readonly Text[], speller: Speller) {
  const proseOf = ({ tokens }: Text) => tokens.filter(({ word }) => word === word.toLowerCase());
  const long = texts.filter((text) => proseOf(text).length >= MIN_WORDS).slice(0, MAX_IDENTIFIED);
  const textOf = (text: Text) => text.tokens.map(({ word }) => word).join(' ');
  const own = long.map((text) => textOf(text).slice(0, MAX_IDENTIFIED_CHARS));
  const all = texts.map(textOf).join(' ').slice(0, MAX_PAGE_CHARS);
  const isEnough = texts.reduce((sum, text) => sum + proseOf(text).length, 0) >= MIN_WORDS;
  if (!isEnough) return { page: '', byText: new Map<Text, string>() };
  const [page = '', ...answers] = await speller.identify([all, ...own]);
  return { page, byText: new Map(long.map((text, index) => [text, answers[index]!])) };
}

/**
 * The language of a page. One that the page names wins where it may be right, since it may name a country; a template
 * may name a wrong one.
 */
function pageLanguage(named: string, identified: string): string {
  if (named === '') return identified === '' ? 'en' : identified;
  return identified === '' || primaryOf(named) === identified || languageOf(named) ? named : identified;
}

async function lookUpAll(
  texts: readonly Text[],
  language: Language,
  speller: Speller,
  lookups: Map<Language, Map<string, WordLookup>>,
): Promise<void> {
  const known = lookups.get(language) ?? new Map<string, WordLookup>();
  lookups.set(language, known);
  const words = texts.flatMap(({ tokens }) => tokens.map(({ word }) => plain(word, language)));
  const missing = [...new Set(words)].filter((word) => !known.has(word));
  if (missing.length === 0) return;
  const answers = await speller.lookUp(missing, language.tag);
  for (const [index, word] of missing.entries()) known.set(word, answers[index]!);
}

/** True if a text is not in the language. Names are in no dictionary, so capitalized words are left out. */
function isStrange(text: Text, lookups: ReadonlyMap<string, WordLookup>, language: Language): boolean {
  const words = new Set(text.tokens.map(({ word }) => word).filter((word) => word === word.toLowerCase()));
  const unknown = [...words].filter((word) => {
    const lookup = lookups.get(plain(word, language));
    return lookup && !lookup.known && lookup.preferred.length === 0;
  });
  return words.size >= MIN_WORDS / 2 && unknown.length / words.size >= MIN_UNKNOWN && unknown.length > 1;
}

/** The word as a dictionary lists it. */
export function plain(word: string, { tag, hasElisions }: Language): string {
  const straight = word.replaceAll('’', "'");
  if (tag === 'en') return straight.replace(/'s$|s'$/i, (end) => end.replace(/'s?/, ''));
  if (hasElisions)
    return /^(aujourd|presqu|quelqu)'/i.test(straight) ? straight : straight.split("'").at(-1)!;
  return straight.replace(/'s?$/, '');
}
