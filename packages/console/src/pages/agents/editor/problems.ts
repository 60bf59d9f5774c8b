import { isWithin, keyOfPath, type Path } from './json-path.ts';

/** A problem of a field, as the service found it. */
export interface Problem {
  path: Path;
  message: string;
}

/** The problems in a refusal of the service; none for other failures. */
export function problemsOf(error: unknown): Problem[] {
  if (!(error instanceof Error) || !('issues' in error) || !Array.isArray(error.issues)) return [];
  return error.issues.map(({ path, message }: Problem) => ({ path, message }));
}

/** The sentence of a problem beside its field, whose name it need not repeat. */
export function sentenceAt({ path, message }: Problem): string {
  const names = [keyOfPath(path), path.reduce<string>(joined, '')].filter((name) => name !== '');
  const name = names.find((one) => message.startsWith(`${one} `));
  const rest = name ? message.slice(name.length + 1) : message;
  return rest.replace(/^is required\.$/, 'is needed.').replace(/^./, (first) => first.toUpperCase());
}

const joined = (text: string, key: string | number): string =>
  typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`;

/** The sentence at a field. A field without fields of its own also shows the problems within it. */
export function problemAt(problems: readonly Problem[], path: Path, isLeaf: boolean): string | undefined {
  const found = problems.filter((problem) =>
    isLeaf ? isWithin(problem.path, path) : keyOfPath(problem.path) === keyOfPath(path),
  );
  if (found.length === 0) return undefined;
  return [...new Set(found.map(sentenceAt))].join(' ');
}

/** The problems that remain when the value at a path has changed. */
export const problemsWithout = (problems: readonly Problem[], path: Path): readonly Problem[] =>
  problems.filter((problem) => !isWithin(problem.path, path));

/** The line of a path in JSON that was printed with an indent of two spaces; 1 if it is not there. */
export function lineOf(text: string, path: Path): number {
  const lines = text.split('\n');
  let at = 0;
  for (const [depth, key] of path.entries()) {
    const indent = '  '.repeat(depth + 1);
    const next =
      typeof key === 'number' ? entryLine(lines, at, indent, key) : fieldLine(lines, at, indent, key);
    if (next === undefined) return at + 1;
    at = next;
  }
  return at + 1;
}

const fieldLine = (lines: string[], from: number, indent: string, name: string): number | undefined => {
  const beginning = `${indent}${JSON.stringify(name)}:`;
  const found = lines.findIndex((line, index) => index >= from && line.startsWith(beginning));
  return found < 0 ? undefined : found;
};

const entryLine = (lines: string[], from: number, indent: string, place: number): number | undefined => {
  let left = place;
  for (let index = from + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (!line.startsWith(indent)) return undefined;
    if (/^[ \]}]/.test(line.slice(indent.length))) continue;
    if (left-- === 0) return index;
  }
  return undefined;
};
