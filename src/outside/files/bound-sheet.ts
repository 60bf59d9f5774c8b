import { MAX_COLUMNS, MAX_ROWS } from './file-limits.ts';

const TAG = /<((?:[\w.-]+:)?)(row|c)\b([^>]*)>/g;
/** Matches a cell with content; formatting alone can create millions of empty cells. */
const HAS_VALUE = /<(?:[\w.-]+:)?(?:v\s*>[^<]|is\b)/;

const CELL_REFERENCE = /\s+r\s*=\s*["']([A-Z]{1,4})\d+["']/;

export interface BoundSheet {
  xml: string;
  cells: number;
  isCut: { rows: boolean; columns: boolean; cells: boolean };
}

/**
 * Reduces the XML of a sheet to the cells that have content and are within the limits. The declared dimension is
 * dropped: readers allocate memory for it, and a single distant cell makes it huge.
 */
export function boundSheet(xml: string, maxCells: number): BoundSheet | undefined {
  const data = /<((?:[\w.-]+:)?)sheetData\b[^>]*>/.exec(xml);
  if (!data) return undefined;
  const prefix = data[1]!;
  const isCut = { rows: false, columns: false, cells: false };
  const rows: string[] = [];
  let cells: string[] = [];
  let kept = 0;
  let row = 0;
  let column = 0;
  const endRow = () => {
    if (cells.length > 0) rows.push(`<${prefix}row r="${row}">${cells.join('')}</${prefix}row>`);
    cells = [];
  };

  TAG.lastIndex = data.index + data[0].length;
  for (let tag = TAG.exec(xml); tag; tag = TAG.exec(xml)) {
    const [, , name, attributes = ''] = tag;
    if (name === 'row') {
      endRow();
      row = Number(/\br\s*=\s*["'](\d+)["']/.exec(attributes)?.[1] ?? row + 1);
      column = 0;
      continue;
    }
    column = columnOf(attributes) ?? column + 1;
    if (attributes.endsWith('/')) continue;
    const end = xml.indexOf(`</${prefix}c>`, TAG.lastIndex);
    if (end < 0) break;
    const inner = xml.slice(TAG.lastIndex, end);
    TAG.lastIndex = end;
    if (!HAS_VALUE.test(inner)) continue;
    if (row < 1 || row > MAX_ROWS) isCut.rows = true;
    else if (column > MAX_COLUMNS) isCut.columns = true;
    else if (kept >= maxCells) isCut.cells = true;
    else {
      kept++;
      // Some writers omit the position and rely on the order.
      const place = ` r="${lettersOf(column)}${row}"`;
      cells.push(`<${prefix}c${place}${attributes.replace(CELL_REFERENCE, '')}>${inner}</${prefix}c>`);
    }
  }
  endRow();
  const root = /<(?:[\w.-]+:)?worksheet\b[^>]*>/.exec(xml)?.[0] ?? `<${prefix}worksheet>`;
  const body = `<${prefix}sheetData>${rows.join('')}</${prefix}sheetData>`;
  return { xml: `${root}${body}</${prefix}worksheet>`, cells: kept, isCut };
}

/** Column number of attributes such as `r="AB12"`, here 28. */
function columnOf(attributes: string): number | undefined {
  const letters = CELL_REFERENCE.exec(attributes)?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Letters of a column number, such as `AB` for 28. */
const lettersOf = (column: number): string =>
  (column > 26 ? lettersOf(Math.floor((column - 1) / 26)) : '') +
  String.fromCharCode(65 + ((column - 1) % 26));
