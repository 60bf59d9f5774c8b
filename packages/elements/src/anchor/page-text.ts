import { readPageWords } from '../../../../src/lib/page-words/read-page-words.ts';

interface Run {
  from: number;
  to: number;
}

/** From the first to the end of the last character of an element in the text of its page. */
export interface Span {
  from: number;
  to: number;
}

/** The text of a page, in which the occurrences of findings are counted, and where it is in the document. */
export interface PageText {
  text: string;
  runs: readonly Run[];
  /** The text node of each run. */
  nodes: readonly Text[];
  /** First and last run of the elements with text. */
  elements: ReadonlyMap<Element, [first: number, last: number]>;
  runOf: ReadonlyMap<Text, number>;
}

/** Reads the page in steps, so that it is not held up. */
export function* readPage(): Generator<undefined, PageText, undefined> {
  const { words, nodes } = yield* readPageWords({ labels: false, marks: false });
  // Joining the text of a long page is a step of its own.
  yield;
  const elements = new Map<Element, [number, number]>();
  const runOf = new Map<Text, number>();
  for (const [index, node] of nodes.entries()) {
    if (index % 200 === 199) yield;
    runOf.set(node, index);
    for (let around = parentOf(node); around && !elements.has(around); around = parentOf(around))
      elements.set(around, [index, index]);
  }
  // From the end, so that each element is visited once, and not once for each text in it.
  const ended = new Set<Element>();
  for (let index = nodes.length - 1; index >= 0; index--) {
    if (index % 200 === 199) yield;
    for (let around = parentOf(nodes[index]!); around && !ended.has(around); around = parentOf(around)) {
      elements.get(around)![1] = index;
      ended.add(around);
    }
  }
  return { text: words.text, runs: words.runs, nodes, elements, runOf };
}

/** The element around a node, also across the border of a shadow tree. */
export function parentOf(node: Node): Element | null {
  if (node.parentElement) return node.parentElement;
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** The place of an element in the text; empty, but with its position, if it has no text. */
export function spanOf(page: PageText, element: Element): Span {
  const own = page.elements.get(element);
  if (own) return { from: page.runs[own[0]]!.from, to: page.runs[own[1]]!.to };
  let around = parentOf(element);
  while (around && !page.elements.has(around)) around = parentOf(around);
  const [first, last] = (around && page.elements.get(around)) ?? [0, -1];
  let [low, high] = [first, last + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBefore =
      (element.compareDocumentPosition(page.nodes[middle]!) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  const at = low > 0 ? page.runs[low - 1]!.to : 0;
  return { from: at, to: at };
}

/** The run that holds a character of the text. */
function runAt({ runs }: PageText, at: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.to <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Offsets of the characters of a run in its text node, since spaces are single in the text. */
function offsetsIn({ text, runs, nodes }: PageText, index: number): number[] {
  const { from, to } = runs[index]!;
  const { data } = nodes[index]!;
  const offsets: number[] = [];
  let isAfterSpace = from === 0 || text[from - 1] === ' ';
  for (let at = 0; at < data.length && offsets.length < to - from; at++) {
    const isSpace = /\s/.test(data[at]!);
    if (!(isSpace && isAfterSpace)) offsets.push(at);
    isAfterSpace = isSpace;
  }
  return offsets;
}

/** The part of the document with some characters of the text; undefined if the document has changed meanwhile. */
export function rangeOf(page: PageText, { from, to }: Span): Range | undefined {
  const [first, last] = [runAt(page, from), runAt(page, to - 1)];
  const [start, end] = [page.nodes[first], page.nodes[last]];
  if (!start?.isConnected || !end?.isConnected) return undefined;
  const startOffset = offsetsIn(page, first)[Math.max(0, from - page.runs[first]!.from)];
  const endOffset = offsetsIn(page, last)[to - 1 - page.runs[last]!.from];
  if (startOffset === undefined || endOffset === undefined) return undefined;
  const range = document.createRange();
  range.setStart(start, startOffset);
  range.setEnd(end, endOffset + 1);
  return range;
}

/** The offset in the text of a place in a text node; undefined if readers do not see that node. */
export function offsetOf(page: PageText, node: Text, offset: number): number | undefined {
  const index = page.runOf.get(node);
  if (index === undefined) return undefined;
  const before = offsetsIn(page, index).filter((one) => one < offset).length;
  return page.runs[index]!.from + before;
}

/** Text before and after a place. */
export const aroundOf = (
  { text }: PageText,
  { from, to }: Span,
  chars: number,
): { before: string; after: string } => ({
  before: text.slice(Math.max(0, from - chars), from).trim(),
  after: text.slice(to, to + chars).trim(),
});
