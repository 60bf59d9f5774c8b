import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One step of a recipe: a new file, or lines added to a file. */
export interface Step {
  /** Heading of the recipe. */
  recipe: string;
  /** Path of the file from the root of the repository. */
  path: string;
  kind: 'file' | 'lines';
  text: string;
}

/** The steps of all recipes in a Markdown text. A step is a path on its own line and a `ts` or `diff` block after it. */
export function readSteps(markdown: string): Step[] {
  const steps: Step[] = [];
  let recipe = '';
  const pattern = /^### (.+)$|^`([\w./-]+)`:?\n\n```(ts|diff)\n([\s\S]*?)^```$/gm;
  for (const [, heading, path, language, text] of markdown.matchAll(pattern)) {
    if (heading !== undefined) recipe = heading;
    else steps.push({ recipe, path: path!, kind: language === 'ts' ? 'file' : 'lines', text: text! });
  }
  return steps;
}

interface Hunk {
  /** The line after which the new lines are added; undefined at the beginning of a block. */
  after?: string;
  /** The lines that the new lines replace. */
  removed: string[];
  added: string[];
}

/** Hunks of a `diff` block. Lines of the file begin with a space, new ones with `+`, replaced ones with `-`. */
function readHunks(text: string): Hunk[] {
  const hunks: Hunk[] = [];
  let after: string | undefined;
  let open: Hunk | undefined;
  for (const line of text.trimEnd().split('\n')) {
    const [sign, rest] = [line[0], line.slice(1)];
    if (sign === ' ') {
      open = undefined;
      after = rest.trim() === '…' ? undefined : rest;
      continue;
    }
    if (!open) {
      open = { ...(after !== undefined && { after }), removed: [], added: [] };
      hunks.push(open);
    }
    (sign === '-' ? open.removed : open.added).push(rest);
  }
  return hunks;
}

const indexOfLine = (lines: string[], wanted: string, path: string): number => {
  const at = lines.indexOf(wanted);
  if (at === -1) throw new Error(`${path} has no line: ${wanted}`);
  if (lines.includes(wanted, at + 1)) throw new Error(`${path} has more than one line: ${wanted}`);
  return at;
};

/** Applies a step to a copy of the repository. */
export function applyStep(root: string, { path, kind, text }: Step): void {
  const file = join(root, path);
  if (kind === 'file') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
    return;
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const { after, removed, added } of readHunks(text)) {
    const [first] = removed;
    const at = first === undefined ? indexOfLine(lines, after!, path) + 1 : indexOfLine(lines, first, path);
    lines.splice(at, removed.length, ...added);
  }
  writeFileSync(file, lines.join('\n'));
}

/** Reverts a step. */
export function revertStep(root: string, { path, kind, text }: Step): void {
  const file = join(root, path);
  if (kind === 'file') {
    rmSync(file);
    return;
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const { removed, added } of readHunks(text))
    lines.splice(indexOfLine(lines, added[0]!, path), added.length, ...removed);
  writeFileSync(file, lines.join('\n'));
}
