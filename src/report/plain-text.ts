import { stripVTControlCharacters } from 'node:util';

/**
 * Control characters, marks that change the direction of the text around them, and code points that XML forbids. Tabs
 * and line breaks are not among them.
 */
const INVISIBLE =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

/** The text of a page without escape codes and control characters. Line breaks are `\n`, and its Unicode is valid. */
export const visibleText = (text: string): string =>
  stripVTControlCharacters(text.toWellFormed())
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(INVISIBLE, '');

/** The same on one line. */
export const oneLine = (text: string): string => visibleText(text).replaceAll(/\s+/g, ' ').trim();

/** The text with a full stop, if it has no other end. */
export const asSentence = (text: string): string => (/[.!?…:]["”’)]?$/.test(text) ? text : `${text}.`);

/** Non-empty parts as consecutive sentences. */
export const sentences = (...parts: (string | undefined)[]): string =>
  parts
    .map((part) => oneLine(part ?? ''))
    .filter(Boolean)
    .map(asSentence)
    .join(' ');
