import { findColumns } from '../../lib/checklist/table-columns.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';

/** Sheet names become headings. */
const MAX_NAME_CHARS = 200;

/** Converts a file to Markdown: text page by page, each sheet as a table under its name. */
export function toMarkdown({ text, sheets }: FileContent): string {
  if (text !== undefined) return tidy(text.replaceAll('\f', '\n\n'));
  return tidy((sheets ?? []).map(sheetToMarkdown).join('\n\n'));
}

const tidy = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function sheetToMarkdown({ name, rows }: { name: string; rows: string[][] }): string {
  const title = name.trim() === '' ? '' : `## ${shorten(oneLine(name), MAX_NAME_CHARS)}\n\n`;
  const { headerRow } = findColumns(rows);
  const lead = rows.slice(0, Math.max(0, headerRow)).filter(isFilled);
  const body = rows.slice(headerRow + 1).filter(isFilled);
  const head = rows[headerRow] ?? [];
  // Columns that are empty in every row are dropped.
  const width = [head, ...body].reduce((widest, row) => Math.max(widest, filledWidth(row)), 0);
  if (width === 0) return `${title}${lead.map(asLine).join('\n\n')}`;
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cellText(row[index] ?? '')).join(' | ')} |`;
  const table = [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
  return `${title}${[...lead.map(asLine), table].join('\n\n')}`;
}

const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell.trim() !== '');
const filledWidth = (row: readonly string[]): number => row.findLastIndex((cell) => cell.trim() !== '') + 1;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const cellText = (cell: string): string => oneLine(cell).replaceAll('|', '\\|');
const asLine = (row: readonly string[]): string => row.map(oneLine).filter(Boolean).join(' ');
