import { parentPort } from 'node:worker_threads';
import { getDefaultSettings, getDictionary, type SpellingDictionaryCollection } from 'cspell-lib';
import { modernWords } from './modern-words.ts';
import type { WordLookup } from './speller.ts';

/* Worker thread of `speller.ts`: loads the English dictionaries and looks words up. */

const DICTIONARIES = [
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
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz'"];
const MAX_NEAR = 5;
const MAX_SEARCHES = 50;
const loading = load();

async function load(): Promise<SpellingDictionaryCollection> {
  const { dictionaryDefinitions = [] } = await getDefaultSettings(true);
  const definitions = dictionaryDefinitions.filter(({ name }) => DICTIONARIES.includes(name));
  return getDictionary({
    dictionaryDefinitions: definitions,
    dictionaries: DICTIONARIES,
    language: 'en,en-GB',
    words: [...modernWords],
  });
}

function lookUp(dictionary: SpellingDictionaryCollection, word: string): WordLookup {
  const lower = word.toLowerCase();
  const ignored = word === lower ? [] : [lower];
  const suggested = [word, ...ignored].flatMap((form) => dictionary.getPreferredSuggestions?.(form) ?? []);
  const preferred = [...new Set(suggested.map((one) => one.word))].filter((one) => one !== word);
  // The case of letters is not checked.
  const known = !dictionary.isForbidden(word) && dictionary.has(word, { ignoreCase: true });
  const ordinary = dictionary.has(lower, { ignoreCase: false });
  const isMisspelling = preferred.length > 0 && !ordinary;
  if (known && !isMisspelling) return { known: true, ordinary, preferred: [], near: [] };
  const near = preferred.length > 0 ? [] : nearWords(dictionary, lower);
  return { known: known && preferred.length === 0, ordinary, preferred, near };
}

/** Words at an edit distance of one, by the likelihood of typos: swapped, doubled or missing, then wrong letters. */
function nearWords(dictionary: SpellingDictionaryCollection, word: string): string[] {
  const found = new Map<string, number>();
  const offer = (candidate: string, cost: number) => {
    const known = found.get(candidate);
    if (known !== undefined && known <= cost) return;
    if (known !== undefined || dictionary.has(candidate, { ignoreCase: false })) found.set(candidate, cost);
  };
  for (let at = 0; at <= word.length; at += 1) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    // The first letter is rarely wrong.
    const penalty = at === 0 ? 4 : 0;
    if (tail.length > 1) offer(head + tail[1] + tail[0] + tail.slice(2), 1 + penalty);
    if (tail.length > 0) offer(head + tail.slice(1), (tail[0] === head.at(-1) ? 1 : 3) + penalty);
    for (const letter of LETTERS) {
      const isDoubling = letter === head.at(-1) || letter === tail[0];
      offer(head + letter + tail, (letter === "'" ? 0 : isDoubling ? 1 : 2) + penalty);
      if (tail.length > 0) {
        const isVowels = /[aeiouy]/.test(letter) && /[aeiouy]/.test(tail[0]!);
        offer(head + letter + tail.slice(1), (isVowels ? 2 : 3) + penalty);
      }
    }
    if (at > 1 && tail.length > 1) {
      const isPair = [head, tail].every((part) => dictionary.has(part, { ignoreCase: false }));
      if (isPair) found.set(`${head} ${tail}`, 4);
    }
  }
  found.delete(word);
  return [...found]
    .sort((one, other) => one[1] - other[1])
    .slice(0, MAX_NEAR)
    .map(([candidate]) => candidate);
}

/** Words at an edit distance of two, which is unambiguous for long words. */
function farWords(dictionary: SpellingDictionaryCollection, word: string): string[] {
  const suggestions = dictionary.suggest(word, { numSuggestions: 3, numChanges: 2, timeout: 500 });
  return suggestions
    .filter((one) => dictionary.has(one.word, { ignoreCase: false }))
    .filter((one) => one.cost <= 200 && one.word.toLowerCase() === one.word && one.word[0] === word[0])
    .map((one) => one.word);
}

parentPort!.on('message', async ({ id, words }: { id: number; words: string[] }) => {
  try {
    const dictionary = await loading;
    let searches = 0;
    const lookups = words.map((word) => {
      const lookup = lookUp(dictionary, word);
      const hasNoSuggestion = !lookup.known && lookup.preferred.length === 0 && lookup.near.length === 0;
      // Each such search takes a tenth of a second.
      return hasNoSuggestion && word.length >= 7 && searches++ < MAX_SEARCHES
        ? { ...lookup, near: farWords(dictionary, word.toLowerCase()) }
        : lookup;
    });
    parentPort!.postMessage({ id, lookups });
  } catch (error) {
    parentPort!.postMessage({ id, error: `The dictionary lookup failed: ${(error as Error).message}` });
  }
});
