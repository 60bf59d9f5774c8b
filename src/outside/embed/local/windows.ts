import { cutText } from '../../../lib/text/cut-text.ts';

/** Pieces of a window; with those that mark begin and end, as many as the model was trained on. */
export const WINDOW_PIECES = 254;
/** Pieces that a window shares with the one before, so that a thought is whole in one of them. */
const OVERLAP = 32;
export const MOST_WINDOWS = 32;
/** What all windows of a text can hold. */
export const MOST_PIECES = WINDOW_PIECES + (MOST_WINDOWS - 1) * (WINDOW_PIECES - OVERLAP);
/** Enough for so many pieces in any language; more need not even be looked at. */
const MOST_CHARACTERS = 64_000;

/** Somebody waits for the vector of a query; what it is about is said by then. */
const MOST_OF_QUERY = 3_000;

/** The beginning of a text, as far as it is read. */
export const readable = (text: string, isQuery: boolean): string =>
  cutText(text, isQuery ? MOST_OF_QUERY : MOST_CHARACTERS);

/** At least one window, which is empty where there are no pieces. */
export function windowsOf(pieces: readonly number[]): number[][] {
  const windows = [pieces.slice(0, WINDOW_PIECES)];
  for (let end = WINDOW_PIECES; end < pieces.length && windows.length < MOST_WINDOWS; ) {
    const begin = end - OVERLAP;
    end = begin + WINDOW_PIECES;
    windows.push(pieces.slice(begin, end));
  }
  return windows;
}
