/** The beginning of a text, at most so many UTF-16 units, and never with half of a character at its end. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** The same with `…` as the last of the units where something is left out. */
export const shorten = (text: string, length: number): string =>
  text.length > length ? `${cutText(text, length - 1)}…` : text;

/** Matches escapes of `JSON.stringify`, those of NUL and lone surrogates among them. */
const ESCAPE = /\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g;
const REFUSED = /\\u(?:0000|d[89a-f])/;

/**
 * A value of JSON as the database can hold it: text of pages and of other servers may have NUL characters and
 * halves of surrogate pairs, which PostgreSQL refuses; each becomes U+FFFD.
 */
export function storable<T>(value: T): T {
  const text = JSON.stringify(value);
  if (text === undefined || !REFUSED.test(text)) return value;
  return JSON.parse(text.replace(ESCAPE, (found) => (REFUSED.test(found) ? '\ufffd' : found))) as T;
}
