import { shorten } from '../text/cut-text.ts';
import { type Checklist, type ChecklistItem, duplicateKey, type Skipped } from './checklist-item.ts';
import { type Columns, findColumns, type Role } from './table-columns.ts';

/** A longer lone cell is an item, not a heading. */
const MAX_HEADING_CHARS = 80;
/** A category is repeated in every row beneath it, so it is bounded. */
const MAX_CATEGORY_CHARS = 200;

/** Reads the items of a table, one per row. */
export function tableItems(rows: readonly string[][], table: string): Checklist {
  const columns = findColumns(rows);
  const items: ChecklistItem[] = [];
  const skipped: Skipped[] = [];
  const seen = new Map<string, string>();
  const isWide = usualWidth(rows) > 1;
  const head = columns.headerRow < 0 ? undefined : textOf(rows[columns.headerRow]!);
  let headings: string[] = [];
  let category: string | undefined;

  for (const [index, row] of withoutTrailingEmptyRows(rows).entries()) {
    const place = table === '' ? `row ${index + 1}` : `row ${index + 1} of ${table}`;
    const original = textOf(row);
    const skip = (reason: string) => skipped.push({ originalText: original, reason });
    if (original === '') {
      skipEmpty(skipped, index);
      continue;
    }
    if (index < columns.headerRow) {
      skip('It stands above the table.');
      continue;
    }
    if (original === head) {
      skip(index === columns.headerRow ? 'It names the columns.' : 'It repeats the names of the columns.');
      continue;
    }
    if (isWide && isHeading(row, columns)) {
      headings = [row.find((cell) => cell.trim() !== '')!.trim()];
      category = undefined;
      skip('It is a heading, which is kept with the rows beneath it.');
      continue;
    }
    const item = itemOf(row, columns, { place, original, headings });
    // Merged cells have their text only in the first row.
    category = item.category ?? category;
    item.category = category;
    if (!/\p{L}.*\p{L}/su.test(`${item.title} ${item.check}`)) {
      skip('It has no words that say what to check.');
      continue;
    }
    const twin = seen.get(duplicateKey(item));
    if (twin !== undefined) {
      skip(`It says the same as ${twin}.`);
      continue;
    }
    seen.set(duplicateKey(item), place);
    items.push(item);
  }
  return { items, skipped };
}

function itemOf(
  row: readonly string[],
  { roles, names }: Columns,
  known: Pick<ChecklistItem, 'place' | 'original' | 'headings'>,
): ChecklistItem {
  const cellsOf = (role: Role) =>
    row.flatMap((cell, index) => (roles[index] === role && cell.trim() !== '' ? [cell.trim()] : []));
  const details = row.flatMap((cell, index) => {
    const role = roles[index];
    if (cell.trim() === '' || (role !== undefined && role !== 'details')) return [];
    return [names[index] ? `${names[index]}: ${cell.trim()}` : cell.trim()];
  });
  const category = cellsOf('category')[0];
  const title = cellsOf('title').join(' ');
  const check = cellsOf('check').join('\n');
  return {
    ...known,
    title,
    // Without a check, the title or the first detail is the check.
    check: check || title || details.shift() || '',
    details,
    category: category && shorten(category, MAX_CATEGORY_CHARS),
    severity: cellsOf('severity')[0],
    url: cellsOf('url')[0],
    reference: cellsOf('reference')[0],
  };
}

/** True for a row with a single short cell in a table of several columns. */
function isHeading(row: readonly string[], { roles }: Columns): boolean {
  const filled = row.flatMap((cell, index) => (cell.trim() === '' ? [] : [index]));
  if (filled.length !== 1) return false;
  const cell = row[filled[0]!]!.trim();
  if (cell.length > MAX_HEADING_CHARS || !/\p{L}/u.test(cell)) return false;
  return roles[filled[0]!] !== 'check' || (cell.split(/\s+/).length <= 4 && !/[.?!]$/.test(cell));
}

function usualWidth(rows: readonly string[][]): number {
  const widths = rows
    .map((row) => row.filter((cell) => cell.trim() !== '').length)
    .filter((width) => width > 0)
    .sort((one, other) => one - other);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}

const textOf = (row: readonly string[]): string =>
  row
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');

function withoutTrailingEmptyRows(rows: readonly string[][]): readonly string[][] {
  return rows.slice(0, rows.findLastIndex((row) => textOf(row) !== '') + 1);
}

const EMPTY = 'The row is empty.';

/** Reports consecutive empty rows as one entry. */
function skipEmpty(skipped: Skipped[], index: number): void {
  const last = skipped.at(-1);
  const until = /^The rows? (\d+)(?: to (\d+))? (?:is|are) empty\.$/.exec(last?.reason ?? '');
  const first = until?.[1];
  if (last && until && first !== undefined && Number(until[2] ?? first) === index) {
    last.reason = `The rows ${first} to ${index + 1} are empty.`;
  } else skipped.push({ originalText: '', reason: EMPTY.replace('row is', `row ${index + 1} is`) });
}
