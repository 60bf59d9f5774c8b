/** Columns as wide as their widest entry, the last one open. */
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
  // A name may hold line breaks or terminal codes, which are the caller's and not the operator's.
  return rows.map((row) => `${line(row).replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')}\n`).join('');
}
