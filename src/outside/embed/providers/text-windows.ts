import { cutText } from '../../../lib/text/cut-text.ts';

/** Few enough for small models on servers of one's own as well. */
const WINDOW_TOKENS = 450;
const MOST_WINDOWS = 32;
/** Share of a window that the next one has again, and in which it may end sooner, between two words. */
const OVERLAP = 1 / 8;

/** Tokens of a character, rather too many: every provider counts in a way of its own. */
const tokensOf = (character: string): number => (character.charCodeAt(0) < 0x80 ? 0.35 : 1.25);

/** What a provider is asked for in place of a text of which nothing is to be seen, since many refuse one. */
const BLANK = '.';

/**
 * Overlapping windows of a text, 450 tokens each by estimate, which is some 1,300 letters of English; at least one and
 * at most 32. What comes behind them is not read.
 */
export function textWindows(text: string): string[] {
  const windows: string[] = [];
  for (let begin = 0; begin < text.length && windows.length < MOST_WINDOWS; ) {
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

/** The first word that begins there, or the character where none does. */
function beginOfNext(text: string, from: number, end: number): number {
  const space = text.slice(from, end).search(/\s/);
  if (space !== -1) return from + space + 1;
  return /[\udc00-\udfff]/.test(text[from]!) ? from + 1 : from;
}

/** Halves of characters and NUL are more than some servers can read. */
const cleaned = (window: string): string => window.toWellFormed().replaceAll('\0', ' ').trim();
