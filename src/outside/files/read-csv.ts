import { parse } from 'csv-parse/sync';
import { decodeUploadedText } from './decode-uploaded-text.ts';
import { MAX_COLUMNS, MAX_ROWS } from './file-limits.ts';
import type { FileContent } from './file-reader.ts';

/** In order of preference for equal scores: delimiters that also occur in sentences come last. */
const DELIMITERS = ['\t', ';', ','] as const;
type Delimiter = (typeof DELIMITERS)[number];

/** Beginning of the file from which the delimiter is guessed. */
const SAMPLE_CHARS = 20_000;
const SAMPLE_LINES = 50;

/** Parses CSV by csv-parse, with a guessed delimiter. Cells are text, formulas included. */
export function readCsv(bytes: Uint8Array): FileContent {
  const text = decodeUploadedText(bytes);
  // Some spreadsheet programs declare the delimiter in a first line.
  const named = /^sep=([,;\t])\n/i.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const delimiter = (named?.[1] as Delimiter | undefined) ?? findDelimiter(body.slice(0, SAMPLE_CHARS));
  const notes: string[] = [];

  let all: string[][];
  try {
    all = parseRows(body, delimiter, true);
  } catch {
    all = parseRows(body, delimiter, false);
    notes.push('The quotes of the file do not close, so they were read as part of the text.');
  }
  if (all.length > MAX_ROWS) notes.push(`Only the first ${MAX_ROWS} rows were read.`);
  if (all.some((row) => row.length > MAX_COLUMNS)) {
    notes.push(`Only the first ${MAX_COLUMNS} columns were read.`);
  }
  const rows = all.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS));
  return { sheets: [{ name: '', rows }], notes };
}

const parseRows = (text: string, delimiter: Delimiter, quoted: boolean): string[][] =>
  parse(text, {
    delimiter,
    quote: quoted ? '"' : false,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    to: MAX_ROWS + 1,
  });

/** Prefers the delimiter that occurs in the most lines, and equally often in them. */
function findDelimiter(sample: string): Delimiter {
  const lines = sample
    .replace(/"[^"]*"/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const used = counts.filter((count) => count > 0);
    const alike = used.filter((count) => count === used[0]).length;
    return { delimiter, score: used.length + alike };
  });
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter;
}
