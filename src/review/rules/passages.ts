import type { Label, PageWords, TextRun } from '../../lib/page-words/page-words.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';

/** The `attribute` of a label that is the title of the document. */
export const DOCUMENT_TITLE = 'document title';

/** Text that reads as one: a paragraph, a heading, a cell. */
export interface Passage {
  text: string;
  /** Offset in the text of the page. */
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

/** The run at an offset in the passage. */
export const runAt = ({ runs, from }: Passage, offset: number): TextRun =>
  runs.find(({ to }) => from + offset < to) ?? runs.at(-1)!;

export const isMarked = (passage: Passage, offset: number, mark: string): boolean =>
  runAt(passage, offset).marks.includes(mark);

export interface Quote {
  targetText: string;
  occurrence: number;
}

/** Quotes a range of the page's text so that `locateInPage` finds the same place. */
export function quoteOf(text: string, from: number, to: number): Quote {
  let start = from;
  let end = to;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  for (;;) {
    const targetText = text.slice(start, end);
    const occurrence = occurrenceAt(text, targetText, start);
    // An occurrence that overlaps the previous one cannot be counted, so more words are quoted.
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

/** Selector and type of a finding about a label. */
export const placeOfLabel = ({
  attribute,
  selector,
}: Label): Pick<DraftFinding, 'htmlSelector' | 'findingType'> =>
  attribute === DOCUMENT_TITLE
    ? { htmlSelector: 'title', findingType: 'page' }
    : { htmlSelector: selector, findingType: 'pin' };

/** The name of a label in sentences. */
export const nameOfLabel = ({ attribute }: Label): string =>
  attribute === DOCUMENT_TITLE ? 'title of the document' : `attribute ${attribute}`;

/** True if a language tag is empty, or names the language or a variant of it. */
export const isLanguage = (tag: string, language: string): boolean =>
  tag === '' || tag.toLowerCase().split(/[-_]/)[0] === language;
