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
  // Names are chosen by callers and may contain line breaks or terminal codes.
  return rows.map((row) => `${line(row).replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')}\n`).join('');
}
