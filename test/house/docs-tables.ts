/**
 * Rows of the first table of a Markdown page whose header begins with a heading, cell by cell, trimmed. Empty if there
 * is no such table.
 */
export function tableRows(page: string, heading: string): string[][] {
  const from = page.indexOf(`\n| ${heading} |`);
  if (from < 0) return [];
  const [table = ''] = page.slice(from + 1).split('\n\n', 1);
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
