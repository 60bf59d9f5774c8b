import { shorten } from '../lib/text/cut-text.ts';
import { strictAddress, webAddress } from './page-address.ts';
import { oneLine } from './plain-text.ts';

/** Separates two characters without a gap or a line break. */
const WORD_JOINER = '\u2060';

/**
 * The places of a text that GitHub or GitLab turn into a link, or by which they notify people: `@name`, `#12`, `!12`,
 * `GH-12`, addresses. Some are looked for in the rendered text, so escaping alone does not hide them.
 */
const REFERENCE = /[@#!~%$&^](?=[\p{L}\p{N}_"])|\bGH-(?=\d)|:(?=\/\/)|www(?=\.)/giu;

/** Characters that begin Markdown, HTML or an entity within a line; `|` ends a cell of a table, even within code. */
const SYNTAX = /[\\`*_{}[\]<>|~&$^]|:(?=\S)/g;
/** Beginnings of a block, or of a command of GitLab, at the start of a line. */
const LINE_START = /^[^\p{L}\p{N}&]|^\d+(?=[.)](?:\s|$))/u;

const encoded = (text: string): string =>
  Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');

/** A text of a page as Markdown that shows it on one line, and does nothing else. */
export const markdownText = (text: string, length: number): string =>
  shorten(oneLine(text), length)
    .replaceAll(REFERENCE, (found) => found + WORD_JOINER)
    .replaceAll(SYNTAX, encoded)
    .replace(LINE_START, encoded);

/** The same as code, in which addresses can be copied, and are no links. Empty for an empty text. */
export function markdownCode(text: string, length: number): string {
  const line = shorten(oneLine(text), length)
    .replaceAll('@', `@${WORD_JOINER}`)
    .replaceAll(/[:.]/g, encoded)
    .replaceAll(/&(?!#(?:58|46);)|[\\`*_{}[\]<>|~$^]/g, encoded);
  return line === '' ? '' : `<code>${line}</code>`;
}

/** A link to a page of the report, or its text alone if the address is not of the web. */
export function markdownLink(text: string, url: string, length: number): string {
  const label = markdownText(text, length);
  const address = webAddress(url);
  if (!address || label === '') return label;
  return `[${label}](<${strictAddress(address).replaceAll('&', '&amp;')}>)`;
}
