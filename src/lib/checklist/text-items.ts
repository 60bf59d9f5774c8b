import { cutText, shorten } from '../text/cut-text.ts';
import { type Checklist, type ChecklistItem, duplicateKey, type Skipped } from './checklist-item.ts';
import { tableItems } from './table-items.ts';

const BULLET = /^(\s*)(?:[-*+•‣⁃◦∙▪▫■□●○–—·☐☑☒✓✔✗✘»]|\[[ xX✓]?\])\s+(?=\S)/;
const NUMBER = /^(\s*)(?:\(?(?:\d{1,3}|[a-zA-Z])[.)]|\d{1,3}(?:\.\d{1,3})+\.?)\s+(?=\S)/;
const CHECKBOX = /^\[[ xX✓]?\]\s+/;
const MARKED_HEADING = /^(#{1,6})\s+(.*)$/;
const UNDERLINE = /^(?:=+|-{3,})\s*$/;
const MAX_HEADING_CHARS = 100;
/** Longer lines are truncated. */
const MAX_LINE_CHARS = 10_000;
/** Headings are repeated in every item beneath them, so they are truncated. */
const MAX_KEPT_CHARS = 200;
const MAX_HEADINGS = 8;

/** Reason for a line of prose that is skipped. */
export const NO_ITEM = 'It is no item of a list.';

interface Line {
  /** From 1, over all pages. */
  number: number;
  text: string;
}

interface ParserState {
  items: ChecklistItem[];
  skipped: Skipped[];
  /** Outermost first. */
  headings: { depth: number; text: string }[];
  /** The item that following lines may continue. */
  open: { item: ChecklistItem; indent: number } | undefined;
}

/** Reads the items of a text: list items with a bullet, a number or a checkbox, and rows of tables. */
export function textItems(text: string): Checklist {
  const lines = text
    .split(/[\n\f]/)
    .map((line, index): Line => ({ number: index + 1, text: cutText(line, MAX_LINE_CHARS).trimEnd() }));
  const reading: ParserState = { items: [], skipped: [], headings: [], open: undefined };
  let isCode = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (/^\s*(```|~~~)/.test(line.text)) {
      isCode = !isCode;
      reading.open = undefined;
    } else if (isCode) skip(reading, line, 'It is code.');
    else if (/^\s*\|.*\|$/.test(line.text)) index += readTable(reading, lines.slice(index)) - 1;
    else if (UNDERLINE.test(line.text)) reading.open = undefined;
    else readLine(reading, line, lines[index + 1]);
  }
  return withoutRepeats(reading);
}

function readLine(reading: ParserState, line: Line, next: Line | undefined): void {
  const text = line.text.trim();
  if (text === '') {
    reading.open = undefined;
    return;
  }
  const heading = MARKED_HEADING.exec(text);
  if (heading) {
    beginSection(reading, line, heading[1]!.length, withoutHashes(heading[2]!));
    return;
  }
  const mark = BULLET.exec(line.text) ?? NUMBER.exec(line.text);
  if (mark) {
    readListed(reading, line, mark);
    return;
  }
  if (isHeading(text, next)) {
    beginSection(reading, line, 7, text.replace(/:$/, ''));
    return;
  }
  if (reading.open) {
    const { item } = reading.open;
    item.check += ` ${text}`;
    item.original += ` ${text}`;
    return;
  }
  skip(reading, line, NO_ITEM);
}

function readListed(reading: ParserState, line: Line, mark: RegExpExecArray): void {
  const text = line.text.slice(mark[0].length).replace(CHECKBOX, '').trim();
  const indent = mark[1]!.replaceAll('\t', '    ').length;
  // A nested list ends with its indentation.
  reading.headings = reading.headings.filter(({ depth }) => depth < 10 + indent);
  if (!/\p{L}.*\p{L}/u.test(text)) {
    skip(reading, line, 'It has no words that say what to check.');
    return;
  }
  if (text.endsWith(':') && text.length <= MAX_HEADING_CHARS) {
    beginSection(reading, line, 10 + indent, text.slice(0, -1));
    return;
  }
  const item: ChecklistItem = {
    title: '',
    check: withoutMarkup(text),
    details: [],
    headings: reading.headings.map((heading) => heading.text),
    place: `line ${line.number}`,
    original: line.text.trim(),
  };
  reading.items.push(item);
  reading.open = { item, indent };
}

/** True for a heading: a line that ends in a colon, is in capitals, is underlined, or is directly above a list. */
export function isHeading(text: string, next: Line | undefined): boolean {
  if (text.length > MAX_HEADING_CHARS) return false;
  if (text.endsWith(':')) return true;
  if (next !== undefined && UNDERLINE.test(next.text)) return true;
  if (/[.!?,;]$/.test(text) || !/^[\p{Lu}\d]/u.test(text)) return false;
  if (/\p{Lu}{2}/u.test(text) && text === text.toUpperCase()) return true;
  return (
    next !== undefined && (BULLET.test(next.text) || NUMBER.test(next.text)) && text.split(/\s+/).length <= 8
  );
}

function beginSection(reading: ParserState, line: Line, depth: number, text: string): void {
  reading.headings = [
    ...reading.headings.filter((outer) => outer.depth < depth),
    { depth, text: shorten(withoutMarkup(text.trim()), MAX_KEPT_CHARS) },
  ].slice(-MAX_HEADINGS);
  reading.open = undefined;
  skip(reading, line, 'It is a heading, which is kept with the items beneath it.');
}

/** Reads a Markdown table and returns its number of lines. */
function readTable(reading: ParserState, lines: readonly Line[]): number {
  const end = lines.findIndex(({ text }) => !/^\s*\|.*\|$/.test(text));
  const table = lines.slice(0, end < 0 ? lines.length : end);
  const rows = table
    .filter(({ text }) => !/^\s*\|[\s|:-]+\|$/.test(text))
    .map(({ text }) =>
      text
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => withoutMarkup(cell.trim().replaceAll('\\|', '|'))),
    );
  const { items, skipped } = tableItems(rows, `the table at line ${table[0]!.number}`);
  const headings = reading.headings.map(({ text }) => text);
  for (const item of items) reading.items.push({ ...item, headings: [...headings, ...item.headings] });
  for (const one of skipped) reading.skipped.push(one);
  reading.open = undefined;
  return table.length;
}

/** Removes the closing sequence of a Markdown heading. */
function withoutHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return text.slice(0, end).trimEnd();
}

const withoutMarkup = (text: string): string => text.replace(/\*\*(?=\S)|(?<=\S)\*\*/g, '');

function skip(reading: ParserState, { text }: Line, reason: string): void {
  if (text.trim() !== '') reading.skipped.push({ originalText: text.trim(), reason });
}

function withoutRepeats({ items, skipped }: ParserState): Checklist {
  const seen = new Map<string, string>();
  const first = items.filter((item) => {
    const key = duplicateKey(item);
    const twin = seen.get(key);
    if (twin !== undefined) {
      skipped.push({ originalText: item.original, reason: `It says the same as ${twin}.` });
      return false;
    }
    seen.set(key, item.place);
    return true;
  });
  return { items: first, skipped };
}
