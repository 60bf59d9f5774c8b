/** A text on one line without terminal codes: names are chosen by callers and may contain both. */
export const onOneLine = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');

/** Aligns columns to their widest cell. */
export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (sizes, row) => row.map((cell, at) => Math.max(cell.length, sizes[at] ?? 0)),
    [],
  );
  const line = (row: string[]) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${onOneLine(line(row))}\n`).join('');
}
