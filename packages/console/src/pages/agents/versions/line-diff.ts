import { diffLines } from 'diff';

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  /** The line in the earlier and in the later text. */
  before: number | undefined;
  after: number | undefined;
}

/** The lines of two texts, in their order: those of one only, and those of both. */
export function diffTexts(before: string, after: string): DiffLine[] {
  let inBefore = 0;
  let inAfter = 0;
  return diffLines(before, after).flatMap(({ value, added, removed }) => {
    const lines = value.replace(/\n$/, '').split('\n');
    return lines.map((text): DiffLine => {
      if (removed) return { kind: 'removed', text, before: ++inBefore, after: undefined };
      if (added) return { kind: 'added', text, before: undefined, after: ++inAfter };
      return { kind: 'same', text, before: ++inBefore, after: ++inAfter };
    });
  });
}

/** A part of a diff: lines, or a number of equal lines that are left out. */
export type DiffPart = { lines: DiffLine[] } | { left: number };

/** The changed lines with a few around them. */
export function foldSame(lines: readonly DiffLine[], around = 3): DiffPart[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  const parts: DiffPart[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (isNear[index]) {
      if (last && 'lines' in last) last.lines.push(line);
      else parts.push({ lines: [line] });
    } else if (last && 'left' in last) last.left++;
    else parts.push({ left: 1 });
  }
  return parts;
}
