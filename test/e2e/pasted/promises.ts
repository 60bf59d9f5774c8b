/** The first line of a promised text that an output lacks, or undefined. `…` matches anything. */
export function missingText(promised: string, output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trimEnd());
  let at = 0;
  for (const line of promised.split('\n')) {
    if (line.trim() === '…') continue;
    const pattern = new RegExp(`^${line.trimEnd().split('…').map(literally).join('.*')}$`);
    const found = lines.findIndex((candidate, index) => index >= at && pattern.test(candidate));
    if (found === -1) return line;
    at = found + 1;
  }
  return undefined;
}

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A difference between a promised JSON value and the values of an output; undefined if one of them fits. */
export function missingJson(promised: string, output: string): string | undefined {
  const expected: unknown = JSON.parse(promised);
  const problems = jsonValues(output).map((value) => differenceOf(expected, value, ''));
  return problems.length === 0 ? 'a JSON value' : problems.includes(undefined) ? undefined : problems.at(-1);
}

/** The JSON objects of an output that begin at the start of a line. */
function jsonValues(output: string): unknown[] {
  const lines = output.split('\n');
  const found: unknown[] = [];
  for (let from = 0; from < lines.length; from++) {
    if (!lines[from]!.startsWith('{')) continue;
    for (let to = from; to < lines.length; to++) {
      if (!lines[to]!.trimEnd().endsWith('}')) continue;
      try {
        found.push(JSON.parse(lines.slice(from, to + 1).join('\n')));
        from = to;
        break;
      } catch {}
    }
  }
  return found;
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

/** The first difference in shape between two values: a missing field, or a value of another type. */
function differenceOf(expected: unknown, actual: unknown, path: string): string | undefined {
  if (kindOf(expected) !== kindOf(actual)) {
    return `${path || 'the value'}: ${kindOf(expected)} expected, not ${kindOf(actual)}`;
  }
  if (Array.isArray(expected)) {
    const list = actual as unknown[];
    if (list.length < expected.length)
      return `${path}: ${expected.length} items expected, not ${list.length}`;
    return firstOf(expected.map((item, index) => differenceOf(item, list[index], `${path}[${index}]`)));
  }
  if (typeof expected !== 'object' || expected === null) return undefined;
  const fields = actual as Record<string, unknown>;
  return firstOf(
    Object.entries(expected).map(([name, value]) => differenceOf(value, fields[name], `${path}.${name}`)),
  );
}

const firstOf = (problems: (string | undefined)[]) => problems.find((problem) => problem !== undefined);

const FAULTS: [RegExp, string][] = [
  [/^\s+at .+:\d+:\d+\)?$/m, 'a stack trace'],
  [/\bundefined\b|\bNaN\b|\[object Object\]|^null$/m, 'a missing value'],
  [/"error":\s*\{\s*"status"/, 'an error envelope'],
  [/^\[\d+\][+-]?\s+Stopped/m, 'a stopped job'],
  [/command not found|syntax error|unbound variable|event not found/, 'an error of the shell'],
];

/** Output that no pasted block may show. */
export const faultIn = (output: string): string | undefined =>
  FAULTS.find(([pattern]) => pattern.test(output))?.[1];
