import { finder } from '@medv/finder';
import { type Anchor, CONTEXT_CHARS, type Point, type Quote } from './anchor.ts';
import { lookOf } from './element-look.ts';
import { countAlike, listElements } from './find-element.ts';
import { placesOf } from './find-quote.ts';
import { aroundOf, offsetOf, type PageText, type Span } from './page-text.ts';
import type { PageState } from './resolve.ts';

const FINDER_MS = 40;

/** The selector of an element, which names only it; empty for elements in shadow trees that no short selector names. */
export function selectorOf(element: Element): string {
  const root = element.getRootNode();
  if (root !== document) return element.id ? `#${CSS.escape(element.id)}` : '';
  if (element === document.documentElement) return 'html';
  try {
    return finder(element, { timeoutMs: FINDER_MS });
  } catch {
    return '';
  }
}

export function xpathOf(element: Element): string {
  const steps: string[] = [];
  for (let node: Element | null = element; node; node = node.parentElement) {
    const tag = node.localName;
    const alike = [...(node.parentElement?.children ?? [])].filter((one) => one.localName === tag);
    const step = /^[a-z][a-z0-9]*$/.test(tag) ? tag : `*[local-name()="${tag}"]`;
    steps.unshift(alike.length > 1 ? `${step}[${alike.indexOf(node) + 1}]` : step);
  }
  return element.getRootNode() === document ? `/${steps.join('/')}` : '';
}

const fractionOf = (value: number, start: number, size: number): number =>
  size > 0 ? Math.round(Math.min(1, Math.max(0, (value - start) / size)) * 1_000) / 1_000 : 0.5;

/** A point of the window within a box. */
export const pointIn = (box: DOMRectReadOnly, x: number, y: number): Point => ({
  x: fractionOf(x, box.left, box.width),
  y: fractionOf(y, box.top, box.height),
});

/** An anchor to an element, and to a point in it. */
export function* anchorToElement(
  element: Element,
  state: PageState,
  point?: Point,
): Generator<undefined, Anchor, undefined> {
  const look = lookOf(state.page, element);
  state.elements ??= yield* listElements(state.page, state.roots);
  return {
    quote: undefined,
    selector: selectorOf(element),
    xpath: xpathOf(element),
    look: { ...look, total: countAlike(look, state.elements) },
    point,
  };
}

/** An anchor to the words of a selection; undefined if readers see no words in it. */
export function anchorToRange(range: Range, { page }: PageState): Anchor | undefined {
  const span = spanOfRange(range, page);
  if (!span) return undefined;
  const around = range.commonAncestorContainer;
  const element = around instanceof Element ? around : around.parentElement;
  return {
    quote: quoteAt(page, span),
    selector: element ? selectorOf(element) : '',
    xpath: element ? xpathOf(element) : '',
    look: undefined,
    point: undefined,
  };
}

/** The quote of a place, which counts its occurrences. */
export function quoteAt(page: PageText, { from, to }: Span): Quote {
  const text = page.text.slice(from, to);
  const places = placesOf(page.text, text);
  return {
    text,
    // Places that overlap are not counted.
    occurrence: Math.max(1, places.filter((at) => at <= from).length),
    total: places.length,
    ...aroundOf(page, { from, to }, CONTEXT_CHARS),
  };
}

/** The place of a selection in the text, without spaces at its ends. */
function spanOfRange(range: Range, page: PageText): Span | undefined {
  const inside = page.nodes.flatMap((node, index) => (range.intersectsNode(node) ? [index] : []));
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [start, end] = [page.nodes[first]!, page.nodes[last]!];
  let from =
    start === range.startContainer ? offsetOf(page, start, range.startOffset) : page.runs[first]!.from;
  let to = end === range.endContainer ? offsetOf(page, end, range.endOffset) : page.runs[last]!.to;
  if (from === undefined || to === undefined) return undefined;
  while (from < to && page.text[from] === ' ') from += 1;
  while (to > from && page.text[to - 1] === ' ') to -= 1;
  return to > from ? { from, to } : undefined;
}
