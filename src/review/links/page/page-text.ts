const UNSEEN = new Set([
  'head',
  'script',
  'style',
  'noscript',
  'textarea',
  'select',
  'iframe',
  'title',
  'template',
]);
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);
/** Counting occurrences takes quadratic time at worst, so it stops after this many compared characters. */
const MAX_COMPARED = 40_000_000;

export interface PageText {
  add(piece: string): void;
  /** Begins an element. Call the result at its end. */
  enter(tagName: string): () => void;
  /** Passes the words that follow to a listener until the result is called. */
  listen(listener: (piece: string) => void): () => void;
  length(): number;
  /** The words so far. */
  all(): string;
  /** A function that numbers, from 1, the first occurrence of words at or after an offset. */
  counter(): (words: string, at: number) => number;
}

const nothing = () => {};

/** The words of a page in order, single-spaced, with a space between blocks. */
export function createPageText(): PageText {
  const pieces: string[] = [];
  let length = 0;
  let endsWithSpace = true;
  let unseen = 0;
  const listeners = new Set<(piece: string) => void>();

  const append = (piece: string) => {
    const single = /[\t\n\f\r\xa0]|\s\s/.test(piece) ? piece.replace(/\s+/g, ' ') : piece;
    const kept = endsWithSpace && single.startsWith(' ') ? single.slice(1) : single;
    if (kept === '') return;
    pieces.push(kept);
    length += kept.length;
    endsWithSpace = kept.endsWith(' ');
  };

  const space = () => append(' ');

  return {
    add(piece) {
      if (unseen > 0) return;
      append(piece);
      for (const listener of listeners) listener(piece);
    },
    enter(tagName) {
      if (UNSEEN.has(tagName)) {
        unseen++;
        return () => {
          unseen--;
        };
      }
      if (INLINE.has(tagName)) return nothing;
      space();
      return space;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    length: () => length,
    all: () => pieces.join(''),
    counter() {
      const text = pieces.join('');
      const seen = new Map<string, { from: number; count: number }>();
      let compared = 0;
      return (words, at) => {
        if (words === '') return 1;
        const state = seen.get(words) ?? { from: 0, count: 0 };
        if (compared < MAX_COMPARED) {
          compared += Math.max(0, at - state.from);
          for (;;) {
            const place = text.indexOf(words, state.from);
            if (place === -1 || place >= at) break;
            state.count++;
            state.from = place + words.length;
          }
          seen.set(words, state);
        }
        return state.count + 1;
      };
    },
  };
}
