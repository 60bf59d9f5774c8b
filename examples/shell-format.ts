const WIDTH = 100;
const COLUMN = 60;

/** Readable JSON: a value that fits on one line is on one line. */
export function formatJson(value: unknown, indent = ''): string {
  const flat = flatten(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  const [open, close, items] = Array.isArray(value)
    ? ['[', ']', value.map((item) => formatJson(item, inner))]
    : [
        '{',
        '}',
        entriesOf(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, inner)}`),
      ];
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

function flatten(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatten).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inside = entriesOf(value).map(([name, item]) => `${JSON.stringify(name)}: ${flatten(item)}`);
  return inside.length === 0 ? '{}' : `{ ${inside.join(', ')} }`;
}

const entriesOf = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined);

/** The value at a path such as `.result.data[0].name`; `[]` stands for all items of a list. Undefined if there is no such value. */
export function valueAt(value: unknown, path: string): unknown {
  const [, name, index, rest = ''] = /^(?:\.([^.[\]]+)|\[(\d*)\])(.*)$/s.exec(path) ?? [];
  if (name === undefined && index === undefined) return path === '' || path === '.' ? value : undefined;
  if (index === '') {
    if (!Array.isArray(value)) return undefined;
    const found = value.map((item) => valueAt(item, rest)).filter((item) => item !== undefined);
    if (found.length === 0 && value.length > 0) return undefined;
    return rest.includes('[]') ? found.flat() : found;
  }
  if (value === undefined || value === null) return undefined;
  return valueAt((value as Record<string, unknown>)[(name ?? index) as string], rest);
}

/** A table with a row per value and a column per field. */
export function formatTable(fields: readonly string[], values: readonly unknown[]): string {
  const rows = values.map((value) =>
    fields.map((field) => cellOf(valueAt(value, field.startsWith('.') ? field : `.${field}`))),
  );
  const widths = fields.map((_field, column) => Math.max(0, ...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellOf(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '–' : flatten(value);
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > COLUMN ? `${line.slice(0, COLUMN - 1)}…` : line;
}
