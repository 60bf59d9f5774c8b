import { cutText } from '../../../lib/text/cut-text.ts';

/** Small enough for small models on an operator's own server. */
const WINDOW_TOKENS = 450;
const MAX_WINDOWS = 32;
/** Share of a window that the next one repeats, and within which a window may end early, between two words. */
const OVERLAP = 1 / 8;

/** Upper estimate of the tokens of a character, since each provider has its own tokenizer. */
const tokensOf = (character: string): number => (character.charCodeAt(0) < 0x80 ? 0.35 : 1.25);

/** Sent in place of a blank text, which many providers refuse. */
const BLANK = '.';

/**
 * Splits a text into 1 to 32 overlapping windows of an estimated 450 tokens, which is about 1,300 letters of English.
 * The rest of a longer text is not embedded.
 */
export function textWindows(text: string): string[] {
  const windows: string[] = [];
  for (let begin = 0; begin < text.length && windows.length < MAX_WINDOWS; ) {
    const end = endOfWindow(text, begin);
    windows.push(text.slice(begin, end));
    if (end === text.length) break;
    begin = Math.max(begin + 1, beginOfNext(text, end - Math.ceil((end - begin) * OVERLAP), end));
  }
  const readable = windows.map(cleaned).filter((window) => window !== '');
  return readable.length > 0 ? readable : [BLANK];
}

function endOfWindow(text: string, begin: number): number {
  let end = begin;
  for (let tokens = 0; end < text.length; end++) {
    tokens += tokensOf(text[end]!);
    if (tokens > WINDOW_TOKENS) break;
  }
  if (end === text.length) return end;
  const window = cutText(text.slice(begin, end + 1), end - begin);
  const space = window.search(/\s\S*$/);
  return begin + (space > window.length * (1 - OVERLAP) ? space : window.length);
}

/** Start of the first word at or after a position, or the position itself if no word starts there. */
function beginOfNext(text: string, from: number, end: number): number {
  const space = text.slice(from, end).search(/\s/);
  if (space !== -1) return from + space + 1;
  return /[\udc00-\udfff]/.test(text[from]!) ? from + 1 : from;
}

/** Removes lone surrogates and NUL, which some servers cannot read. */
const cleaned = (window: string): string => window.toWellFormed().replaceAll('\0', ' ').trim();
