import { shorten } from '../../lib/text/cut-text.ts';

/** Characters that a person does not see and a model reads: controls, marks of direction, tags, private ones. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0]/gu;
const MARKUP = /<[^<>]{0,200}>/g;

/** Words of a stranger for a model to read: on one line, without markup and what cannot be seen. */
export const cleanWords = (text: string, length: number): string =>
  shorten(
    text
      .slice(0, 20 * length)
      .replace(/\s+/g, ' ')
      .replace(UNSEEN, '')
      .replace(MARKUP, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
    length,
  );
