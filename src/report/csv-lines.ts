import { visibleText } from './plain-text.ts';

/** Excel reads CSV without this mark in the encoding of the machine, in which letters beyond ASCII are broken. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Where spreadsheets begin to read a formula, which can send data away; some also read full-width signs. Where the comma is
 * the decimal sign, Excel separates fields by semicolons and does not know quotes within them, so that a field also
 * begins at a semicolon and in a new line of a text.
 */
const FORMULA = /(?<=^|[;\n])(?=[^\S\n]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=\s)/g;

/** Lines of CSV (RFC 4180), for spreadsheets. What they would take for a formula begins with an apostrophe. */
export const csvLines = (rows: readonly (readonly (string | number | null | undefined)[])[]): string =>
  rows.map((fields) => `${fields.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = visibleText(value).replaceAll(FORMULA, "'");
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
