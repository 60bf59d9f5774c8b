import { cutText } from './cut-text.ts';

/** Maximum of a text that is indexed, in UTF-16 units, and of the number and length of its words. */
const MAX_TEXT_CHARS = 200_000;
const MAX_WORDS = 2_000;
const MAX_WORD_CHARS = 64;

const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** Letters and digits, with the characters that join them to one name: `ERR-4521`, `foo_bar`, `1.4.3`, `user's`. */
const RUN = /#?[\p{L}\p{N}\p{M}]+(?:[-_.'’\u2010][\p{L}\p{N}\p{M}]+)*/gu;
const JOINT = /[-_'’\u2010]/g;
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const LETTERS_THEN_NUMBER = /^(\p{L}+)(\p{N}[\p{N}.]*)$/u;
const NUMBER_THEN_LETTERS = /^(\p{N}[\p{N}.]*)(\p{L}+)$/u;
const DOTTED_NUMBER = /^\p{N}+(?:\.\p{N}+)*$/u;

/** Scripts without spaces between words. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const SCRIPTS = new RegExp(`[${UNSPACED}\\p{M}]+|[^${UNSPACED}]+`, 'gu');

const DIACRITICS = /[\u0300-\u036f]/g;
const UNFOLDED = /[ßæœøłđðþı]/g;
const FOLDED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(DIACRITICS, '')
    .normalize('NFC')
    .replace(UNFOLDED, (letter) => FOLDED[letter]!);

/** Words that carry no meaning for search. */
const STOP_WORDS = new Set(
  `a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
  me my of on or our she should so than that the their them then there these they this to us was we were what when
  where which who why will with would you your`.split(/\s+/),
);

const PLAIN_WORD = /^[a-z]+$/;

/** Reduces an English word to its stem: plurals, -ed and -ing. */
function stem(word: string): string {
  if (word.length < 4 || !PLAIN_WORD.test(word)) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh|zz)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^siu]s$/.test(root)) root = root.slice(0, -1);
  const bare = root.replace(/(?:ing|ed)$/, '');
  if (bare !== root && bare.length >= 3 && /[aeiouy]/.test(bare))
    root = bare.replace(/([bdfgmnprt])\1$/, '$1');
  return root.length > 3 ? root.replace(/e$/, '') : root;
}

/** A compound name, joined and split into its parts. */
function* namesIn(run: string): Generator<string> {
  const name = run.startsWith('#') ? run.slice(1) : run;
  if (name !== run && /\p{N}/u.test(name)) yield run;
  yield name.replace(JOINT, '');
  const pieces = name.split(JOINT);
  for (const piece of pieces) {
    if (pieces.length > 1) yield* unlessSingle(piece);
    const parted = LETTERS_THEN_NUMBER.exec(piece) ?? NUMBER_THEN_LETTERS.exec(piece);
    if (parted) yield* [parted[1]!, parted[2]!].flatMap((part) => [...unlessSingle(part)]);
    else if (!DOTTED_NUMBER.test(piece))
      for (const part of piece.split('.')) {
        if (part !== piece) yield* unlessSingle(part);
        const words = part.split(CAMEL);
        if (words.length > 1) for (const word of words) yield* unlessSingle(word);
      }
  }
}

/** Skips single letters and digits, which have no meaning without their neighbors. */
function* unlessSingle(part: string): Generator<string> {
  if (part.length > 1) yield part;
}

function* pairsOf(letters: string): Generator<string> {
  let before: string | undefined;
  let many = 0;
  for (const letter of letters) {
    if (before !== undefined) yield before + letter;
    before = letter;
    many += 1;
  }
  if (many === 1) yield letters;
}

/** The words of a run of letters and digits. */
function* wordsIn(run: string): Generator<string> {
  if (!HAS_UNSPACED.test(run)) return yield* namesIn(run);
  for (const [letters] of run.matchAll(SCRIPTS))
    if (HAS_UNSPACED.test(letters)) yield* pairsOf(letters);
    else for (const [name] of letters.matchAll(RUN)) yield* namesIn(name);
}

/**
 * The distinct search terms of a text: without case, accents and endings, compound names whole and in parts (`ERR-4521`
 * is `err4521`, `err` and `4521`), and bigrams for scripts without spaces. At most 2,000 terms of at most 64 UTF-16
 * units, from the first 200,000 units of the text; takes linear time.
 */
export function wordsOf(text: string): string[] {
  const plain = cutText(cutText(text, MAX_TEXT_CHARS).normalize('NFKC'), MAX_TEXT_CHARS)
    .replace(INVISIBLE, '')
    .replace(THOUSANDS, '');
  const found = new Set<string>();
  for (const [run] of plain.matchAll(RUN))
    for (const word of wordsIn(run)) {
      const folded = fold(cutText(word, MAX_WORD_CHARS));
      // A run of accents alone folds to an empty string.
      if (folded === '' || STOP_WORDS.has(folded)) continue;
      found.add(cutText(stem(folded), MAX_WORD_CHARS));
      if (found.size >= MAX_WORDS) return [...found];
    }
  return [...found];
}

/** True for identifiers, such as an error code, a ticket, a version or a clause. */
export const isIdentifier = (word: string): boolean => /\p{N}/u.test(word);
