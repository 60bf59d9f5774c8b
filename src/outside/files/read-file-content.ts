import { cutText } from '../../lib/text/cut-text.ts';
import { decodeUploadedText } from './decode-uploaded-text.ts';
import { MAX_CHARS } from './file-limits.ts';
import type { FileContent } from './file-reader.ts';
import type { FileType } from './file-type.ts';

/** Reads a file in this process. Throws `FileFailure`, or any other error for a malicious file. */
export async function readFileContent(type: FileType, bytes: Uint8Array): Promise<FileContent> {
  return limitChars(await readAs(type, bytes));
}

async function readAs(type: FileType, bytes: Uint8Array): Promise<FileContent> {
  if (type === 'text') return { text: decodeUploadedText(bytes), notes: [] };
  // Loaded on demand, since each process reads one file and should start quickly.
  if (type === 'csv') return (await import('./read-csv.ts')).readCsv(bytes);
  if (type === 'pdf') return await (await import('./read-pdf.ts')).readPdf(bytes);
  return await (await import('./read-workbook.ts')).readWorkbook(bytes);
}

/** Applies the limit of characters: a workbook can repeat one long text in a million cells at no cost. */
function limitChars({ sheets, text, notes }: FileContent): FileContent {
  const note = `Only the first ${MAX_CHARS} characters were read.`;
  if (text !== undefined) {
    return text.length > MAX_CHARS
      ? { text: cutText(text, MAX_CHARS), notes: [...notes, note] }
      : { text, notes };
  }
  let left = MAX_CHARS;
  const kept = (sheets ?? []).map(({ name, rows }) => {
    const end = rows.findIndex((row) => {
      left -= row.reduce((sum, cell) => sum + cell.length, 0);
      return left < 0;
    });
    return { name, rows: end < 0 ? rows : rows.slice(0, end) };
  });
  return { sheets: kept, notes: left < 0 ? [...notes, note] : notes };
}
