import type { Anchor, FoundBy, Resolution } from './anchor.ts';
import { type Elements, findElement, listElements, namedElement, rootsOf } from './find-element.ts';
import { findAlike, findExact } from './find-quote.ts';
import { type PageText, parentOf, rangeOf, readPage, type Span, spanOf } from './page-text.ts';
import { indexWords, type WordIndex } from './word-index.ts';

/** What is known of a page at a time, as far as anchors have needed it. */
export interface PageState {
  page: PageText;
  roots: readonly (Document | ShadowRoot)[];
  lower: string | undefined;
  words: WordIndex | undefined;
  elements: Elements | undefined;
}

export function* readState(): Generator<undefined, PageState, undefined> {
  const page = yield* readPage();
  return { page, roots: rootsOf(), lower: undefined, words: undefined, elements: undefined };
}

/** Finds the place of an anchor, in steps; undefined for an orphan, which is never placed elsewhere. */
export function* resolve(anchor: Anchor, state: PageState): Generator<undefined, Resolution, undefined> {
  const named = namedElement(anchor, state.roots);
  if (anchor.look && !(anchor.quote && anchor.look.role === '' && !named)) {
    state.elements ??= yield* listElements(state.page, state.roots);
    const found = findElement(state.page, anchor.look, state.elements, named);
    if (found) return { ...found, range: undefined };
    if (!anchor.quote) return undefined;
  }
  return anchor.quote && (yield* resolveQuote(anchor.quote, state, named));
}

function* resolveQuote(
  quote: NonNullable<Anchor['quote']>,
  state: PageState,
  named: Element | undefined,
): Generator<undefined, Resolution, undefined> {
  const { page } = state;
  const element = named && page.elements.has(named) ? spanOf(page, named) : undefined;
  const exact = findExact(page.text, quote, element);
  if (exact) return placed(page, exact, 'words');
  if (state.lower === undefined || !state.words) {
    state.lower = page.text.toLowerCase();
    state.words = yield* indexWords(state.lower);
  }
  // A few letters are longer in lower case, which would shift all offsets.
  if (state.lower.length !== page.text.length) return undefined;
  const alike = findAlike(state.lower, state.words, quote, element);
  return alike && placed(page, alike, 'likeness');
}

function placed(page: PageText, span: Span, by: FoundBy): Resolution {
  const range = rangeOf(page, span);
  if (!range) return undefined;
  const { commonAncestorContainer: around } = range;
  const element = around instanceof Element ? around : parentOf(around);
  return element ? { by, range, element } : undefined;
}
