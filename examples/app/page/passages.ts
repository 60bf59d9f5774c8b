/** Where a passage is in the text of an article. It is stored with the thread, as its `targetElement`. */
export interface Passage {
  targetText: string;
  /** Number of the occurrence of the text, from 1. */
  occurrence: number;
  /** What stands around it: finds the passage again after the article was edited. */
  textBefore: string;
  textAfter: string;
}

const AROUND = 32;

export function passageOf(article: Element, range: Range): Passage | undefined {
  const text = article.textContent;
  const selected = range.toString();
  const targetText = selected.trim();
  if (targetText === '' || !article.contains(range.commonAncestorContainer)) return undefined;
  const start = textBefore(article, range).length + selected.indexOf(targetText);
  const end = start + targetText.length;
  return {
    targetText,
    occurrence: placesOf(text, targetText).indexOf(start) + 1,
    textBefore: text.slice(Math.max(0, start - AROUND), start),
    textAfter: text.slice(end, end + AROUND),
  };
}

/** The text of an article up to a range. */
export function textBefore(article: Element, { startContainer, startOffset }: Range): string {
  const before = document.createRange();
  before.setStart(article, 0);
  before.setEnd(startContainer, startOffset);
  return before.toString();
}

/** The range of a passage; undefined if its text is no longer in the article. */
export function findPassage(article: Element, passage: Partial<Passage>): Range | undefined {
  const { targetText, occurrence = 1, textBefore = '', textAfter = '' } = passage;
  if (!targetText) return undefined;
  const text = article.textContent;
  const likeness = (start: number) =>
    commonEnd(text.slice(0, start), textBefore) +
    commonStart(text.slice(start + targetText.length), textAfter);
  const [best] = placesOf(text, targetText)
    .map((start, index) => ({ start, likeness: likeness(start), distance: Math.abs(index + 1 - occurrence) }))
    .sort((a, b) => b.likeness - a.likeness || a.distance - b.distance);
  return best && rangeOf(article, best.start, best.start + targetText.length);
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length++;
  return length;
}

function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

function rangeOf(article: Element, start: number, end: number): Range {
  const range = document.createRange();
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let at = 0; texts.nextNode(); ) {
    const node = texts.currentNode as Text;
    if (start >= at && start < at + node.length) range.setStart(node, start - at);
    if (end > at && end <= at + node.length) range.setEnd(node, end - at);
    at += node.length;
  }
  return range;
}
