/** Kinds of texts that replace each other in `live-rest.ts`: one of 300 characters, and a page of 8 kB. */
export type TextKind = 'short' | 'page';

const WORDS = 'word '.repeat(50);
const PARAGRAPHS = Array.from(
  { length: 80 },
  (_, index) =>
    `Paragraph ${index} of a page that somebody writes, with a sentence of about as many words as usual.`,
);

/** The text of one replacement. Of a page, one paragraph changes, and the one before it changes back. */
export function replacementOf(kind: TextKind, count: number): string {
  if (kind === 'short') return `The text number ${count} of those that replace each other. ${WORDS}`;
  return PARAGRAPHS.with(count % PARAGRAPHS.length, `This paragraph is the change number ${count}.`).join(
    '\n',
  );
}
