/** A point within a box, as fractions of its width and height from the top left. */
export interface Point {
  x: number;
  y: number;
}

/** Words of a page. */
export interface Quote {
  text: string;
  /** Which of the places with these words, from 1, counted as agents count. */
  occurrence: number;
  /** Number of places with these words when the anchor was made; undefined if it is not known. */
  total: number | undefined;
  /** Words of the page around the quote; empty if they are not known. */
  before: string;
  after: string;
}

/** The looks of an element when an anchor to it was made. */
export interface ElementLook {
  /** Empty if it is not known. */
  role: string;
  /** The first words in it, and the last ones if it has more; empty if they are not known. */
  text: string;
  end: string;
  /** Attributes by which elements are told apart. */
  attributes: Readonly<Record<string, string>>;
  /** Words of the page around the element; undefined if they are not known. */
  before: string | undefined;
  after: string | undefined;
  /** Number of elements that looked the same, without regard to their surroundings. */
  total: number | undefined;
}

/** A place on a page that is found again after the page has changed. */
export interface Anchor {
  quote: Quote | undefined;
  /** Describes the element, or the one around the quote; empty if it is not known. */
  selector: string;
  xpath: string;
  /** Undefined if nothing is known of the element, or the anchor is about a quote. */
  look: ElementLook | undefined;
  point: Point | undefined;
}

/** How a place was found. */
export type FoundBy = 'words' | 'selector' | 'likeness';

export type Found =
  | { by: FoundBy; range: Range; element: Element }
  | { by: FoundBy; range: undefined; element: Element };

/** Undefined for an orphan: a place that the page no longer has. */
export type Resolution = Found | undefined;

/** Length of the words around a place that are kept, as agents keep them. */
export const CONTEXT_CHARS = 60;

/** Length of the words of an element that are kept. */
export const LOOK_CHARS = 120;

export const singleSpaced = (text: string): string => text.replace(/\s+/g, ' ').trim();
