import { findColumns } from '../../lib/checklist/table-columns.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';

/** A row or a line of a file, as a model reads it. */
export interface Passage {
  text: string;
  place: string;
}

const MAX_PASSAGE_CHARS = 2_000;
const MAX_BATCH_CHARS = 12_000;
const MAX_BATCH_PASSAGES = 40;

/** All rows or lines of a file that are not empty. */
export function passagesOf({ sheets, text }: FileContent): Passage[] {
  if (text !== undefined) {
    return text.split(/[\n\f]/).flatMap((line, index) => passage(line, `line ${index + 1}`));
  }
  return (sheets ?? []).flatMap(({ name, rows }) => {
    const { headerRow, names } = findColumns(rows);
    const of = (sheets?.length ?? 0) > 1 ? ` of ${name}` : '';
    return rows.flatMap((row, index) => {
      const cells = row.flatMap((cell, column) => {
        if (cell.trim() === '') return [];
        const head = index > headerRow ? names[column] : undefined;
        return [head ? `${head}: ${cell.trim()}` : cell.trim()];
      });
      return passage(cells.join(' | '), `row ${index + 1}${of}`);
    });
  });
}

const passage = (text: string, place: string): Passage[] =>
  text.trim() === '' ? [] : [{ text: cutText(text.trim(), MAX_PASSAGE_CHARS), place }];

/** Splits passages into batches that a model can handle at once. */
export function batchesOf(passages: readonly Passage[]): Passage[][] {
  const batches: Passage[][] = [];
  let chars = 0;
  for (const next of passages) {
    const last = batches.at(-1);
    if (last && last.length < MAX_BATCH_PASSAGES && chars + next.text.length <= MAX_BATCH_CHARS) {
      last.push(next);
      chars += next.text.length;
    } else {
      batches.push([next]);
      chars = next.text.length;
    }
  }
  return batches;
}
