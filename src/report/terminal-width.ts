/** Scripts and signs that terminals print in two columns. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6])/u;
const ZERO = /^[\p{Mark}\p{Cf}]+$/u;
const PLAIN = /^[\x20-\x7e]*$/;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const widthOfCharacter = (character: string): number =>
  ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

const charactersOf = (text: string): string[] =>
  PLAIN.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The number of columns that a terminal needs for a text without escape codes. */
export const widthOf = (text: string): number =>
  PLAIN.test(text)
    ? text.length
    : charactersOf(text).reduce((width, character) => width + widthOfCharacter(character), 0);

/** Cuts a text after `columns`; the end is `…` if something is omitted. */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns && PLAIN.test(text)) return text;
  const characters = charactersOf(text);
  let width = 0;
  let fitting = 0;
  for (const [at, character] of characters.entries()) {
    width += widthOfCharacter(character);
    if (width <= columns - 1) fitting = at + 1;
    if (width > columns) return `${characters.slice(0, fitting).join('').trimEnd()}…`;
  }
  return text;
}

/** Fills a text with spaces up to `columns`. */
export const padToWidth = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/** Breaks a line between words, or within a word that is wider than a line. The last of `most` lines is cut. */
export function wrapToWidth(text: string, columns: number, most = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => breakWord(word, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) {
      lines.push(cutToWidth(`${longer} …`, columns));
      return lines;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line];
}

function breakWord(word: string, columns: number): string[] {
  if (widthOf(word) <= columns) return [word];
  const parts: string[] = [];
  let part = '';
  let width = 0;
  for (const character of charactersOf(word)) {
    const more = widthOfCharacter(character);
    if (width + more > columns && part !== '') {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += character;
    width += more;
  }
  return [...parts, part];
}
