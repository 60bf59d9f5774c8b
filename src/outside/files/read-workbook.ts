import readSheets from 'read-excel-file/universal';
import { boundSheet } from './bound-sheet.ts';
import { MAX_CELL_CHARS, MAX_CELLS, MAX_COLUMNS, MAX_ROWS } from './file-limits.ts';
import { type FileContent, FileFailure } from './file-reader.ts';
import { packStored, unzip } from './zip.ts';

type Cell = string | number | boolean | Date | null | undefined;

/** Reads every sheet of an XLSX workbook; formulas have the values that were saved with them. */
export async function readWorkbook(bytes: Uint8Array): Promise<FileContent> {
  const files = unzip(bytes, (name) => /\.(xml|rels)$/i.test(name));
  if (![...files.keys()].some((name) => name.endsWith('xl/workbook.xml'))) {
    throw new FileFailure('mismatch', 'The file is a ZIP archive, but contains no XLSX workbook.');
  }
  const notes = boundSheets(files);
  const packed = packStored(files);
  const archive = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.length) as ArrayBuffer;
  files.clear();
  let sheets: Awaited<ReturnType<typeof readSheets>>;
  try {
    sheets = await readSheets(archive);
  } catch (cause) {
    throw new FileFailure('unreadable', 'The workbook cannot be read. It may be damaged.', { cause });
  }
  return {
    sheets: sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.map((row) => row.map((cell) => showCell(cell as Cell))),
    })),
    notes,
  };
}

/** Reduces the sheets to the limits; returns sentences about what was omitted. */
function boundSheets(files: Map<string, Buffer>): string[] {
  const isCut = { rows: false, columns: false, cells: false };
  let left = MAX_CELLS;
  for (const [name, content] of files) {
    const xml = content.toString('utf8');
    // Entities are never written by spreadsheet programs, and could be external or expand without limit.
    if (xml.includes('<!DOCTYPE') || xml.includes('<!ENTITY')) {
      throw new FileFailure('unreadable', 'The workbook declares entities of its own, which are not read.');
    }
    const bound = boundSheet(xml, left);
    if (!bound) continue;
    files.set(name, Buffer.from(bound.xml));
    left -= bound.cells;
    isCut.rows ||= bound.isCut.rows;
    isCut.columns ||= bound.isCut.columns;
    isCut.cells ||= bound.isCut.cells;
  }
  return [
    ...(isCut.rows ? [`Only the first ${MAX_ROWS} rows of a sheet were read.`] : []),
    ...(isCut.columns ? [`Only the first ${MAX_COLUMNS} columns of a sheet were read.`] : []),
    ...(isCut.cells ? [`Only the first ${MAX_CELLS} cells of the workbook were read.`] : []),
  ];
}

function showCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) {
    if (Number.isNaN(cell.getTime())) return '';
    return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  }
  return String(cell).replaceAll('\0', '').slice(0, MAX_CELL_CHARS);
}
