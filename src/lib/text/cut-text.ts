/** Truncates a text to at most `length` UTF-16 units, without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Truncates like `cutText`, and ends with `…` if something is omitted. */
export const shorten = (text: string, length: number): string =>
  text.length > length ? `${cutText(text, length - 1)}…` : text;

/** Matches escapes of `JSON.stringify`, including those of NUL and lone surrogates. */
const ESCAPE = /\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g;
const REFUSED = /\\u(?:0000|d[89a-f])/;

/**
 * Makes a JSON value storable: replaces NUL characters and lone surrogates, which PostgreSQL rejects and pages or other
 * servers may send, by U+FFFD.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value;
  const text = JSON.stringify(value);
  if (text === undefined || !REFUSED.test(text)) return value;
  return JSON.parse(text.replace(ESCAPE, (found) => (REFUSED.test(found) ? '\ufffd' : found))) as T;
}
