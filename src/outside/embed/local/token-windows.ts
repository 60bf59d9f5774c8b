import { cutText } from '../../../lib/text/cut-text.ts';

/** Tokens of a window; with the two that mark beginning and end, as many as the model was trained on. */
export const WINDOW_TOKENS = 254;
/** Tokens that consecutive windows share, so that a sentence at the border is whole in one of them. */
const OVERLAP = 32;
export const MAX_WINDOWS = 32;
/** Tokens that all windows of a text can contain. */
export const MAX_TOKENS = WINDOW_TOKENS + (MAX_WINDOWS - 1) * (WINDOW_TOKENS - OVERLAP);
/** Enough for `MAX_TOKENS` in any language, so that the tokenizer need not read the rest. */
const MAX_CHARACTERS = 64_000;

/** A caller waits for the vector of a query, and the topic of a query is clear by then. */
const MAX_QUERY_CHARACTERS = 3_000;

/** Cuts a text down to the part that is embedded. */
export const cutToReadable = (text: string, isQuery: boolean): string =>
  cutText(text, isQuery ? MAX_QUERY_CHARACTERS : MAX_CHARACTERS);

/** Splits tokens into overlapping windows; a text without tokens has one empty window. */
export function windowsOf(tokens: readonly number[]): number[][] {
  const windows = [tokens.slice(0, WINDOW_TOKENS)];
  for (let end = WINDOW_TOKENS; end < tokens.length && windows.length < MAX_WINDOWS; ) {
    const begin = end - OVERLAP;
    end = begin + WINDOW_TOKENS;
    windows.push(tokens.slice(begin, end));
  }
  return windows;
}
