import { shorten } from '../../lib/text/cut-text.ts';

/** Invisible characters that a model still reads: controls, directional marks, tags, private use. */
const INVISIBLE = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0]/gu;
const MARKUP = /<[^<>]{0,200}>/g;

/** Cleans untrusted text for a model: one line, without markup and invisible characters. */
export const cleanText = (text: string, length: number): string =>
  shorten(
    text
      .slice(0, 20 * length)
      .replace(/\s+/g, ' ')
      .replace(INVISIBLE, '')
      .replace(MARKUP, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
    length,
  );
