import type { PageWords, TextRun } from '../gather/reading/page-words.ts';

/** A stretch of words that reads on: a paragraph, a heading, a cell. */
export interface Passage {
  text: string;
  /** Where it begins in the page's words. */
  from: number;
  runs: readonly TextRun[];
}

export function passagesOf(words: PageWords): Passage[] {
  const passages: Passage[] = [];
  for (let at = 0; at < words.runs.length; ) {
    const first = words.runs[at]!;
    let end = at + 1;
    while (words.runs[end]?.passage === first.passage) end += 1;
    const runs = words.runs.slice(at, end);
    passages.push({ text: words.text.slice(first.from, runs.at(-1)!.to), from: first.from, runs });
    at = end;
  }
  return passages;
}

/** The run that a place of the passage lies in, by its distance from the passage's beginning. */
export const runAt = ({ runs, from }: Passage, offset: number): TextRun =>
  runs.find(({ to }) => from + offset < to) ?? runs.at(-1)!;

export const isMarked = (passage: Passage, offset: number, mark: string): boolean =>
  runAt(passage, offset).marks.includes(mark);

export interface Quote {
  targetText: string;
  occurrence: number;
}

/** Quotes a place of the page's words so that `locateInPage` finds that very place again. */
export function quoteOf(text: string, from: number, to: number): Quote {
  let start = from;
  let end = to;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  for (;;) {
    const targetText = text.slice(start, end);
    const occurrence = occurrenceAt(text, targetText, start);
    // An appearance that overlaps the one before it is not counted; with more words around it, it is.
    if (occurrence !== undefined || start === 0) return { targetText, occurrence: occurrence ?? 1 };
    start = text.lastIndexOf(' ', start - 2) + 1;
  }
}

function occurrenceAt(text: string, target: string, place: number): number | undefined {
  if (target === '') return 1;
  let count = 0;
  for (let at = text.indexOf(target); at >= 0 && at <= place; at = text.indexOf(target, at + target.length)) {
    count += 1;
    if (at === place) return count;
  }
  return undefined;
}

/** Whether a language tag names a variant of the language, or nothing at all. */
export const isLanguage = (tag: string, language: string): boolean =>
  tag === '' || tag.toLowerCase().split(/[-_]/)[0] === language;
