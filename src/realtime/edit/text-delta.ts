import type { DiffBudget } from './compare-lists.ts';
import { type Insertion, makePiece } from './make-content.ts';
import { diffText } from './text-diff.ts';
import type { Marks, Piece, Tree } from './value-tree.ts';

/** A step along a text as Yjs takes it; an insertion is made when its turn comes, since types can be used once. */
export type DeltaStep =
  | { kind: 'retain'; length: number; attributes: Record<string, unknown> | undefined }
  | { kind: 'delete'; length: number }
  | { kind: 'insert'; piece: Piece };

/** The rules by which texts are compared. */
export interface TextRules {
  budget: DiffBudget;
  /** The text in the form in which it is compared; its length must not change. */
  comparable: (text: string) => string;
  /** Equal for equal marks. */
  markKey: (key: string, value: unknown) => string;
  /** Equal for equal trees. */
  idOfTree: (tree: Tree) => number;
}

const NO_MARKS: Marks = new Map();

/** Walks along pieces, stopping at the end of each. */
class Walk {
  readonly pieces: Piece[];
  private at = 0;
  private offset = 0;

  constructor(pieces: Piece[]) {
    this.pieces = pieces;
  }

  get piece(): Piece | undefined {
    return this.pieces[this.at];
  }

  /** Characters left in the piece. */
  get left(): number {
    return this.piece ? lengthOf(this.piece) - this.offset : 0;
  }

  take(length: number): Piece {
    const piece = this.pieces[this.at] as Piece;
    const text = piece.text.slice(this.offset, this.offset + length);
    this.offset += length;
    if (this.left <= 0) {
      this.at += 1;
      this.offset = 0;
    }
    return { ...piece, text };
  }
}

/** Yjs counts an embedded value as one character. */
export const lengthOf = (piece: Piece): number => (piece.embed ? 1 : piece.text.length);

/**
 * The steps from one text to another. A new text without formatting (a single piece whose marks are null) keeps
 * formatting and embedded values, and its insertions take on the formatting before them.
 */
export function textDelta(before: Piece[], after: Piece[], rules: TextRules): DeltaStep[] {
  const { comparable, idOfTree } = rules;
  const isBare = after.some((piece) => piece.marks === null);
  // A lone surrogate stands for an embedded value; compared text has none.
  const letters = ({ text, embed }: Piece) =>
    embed ? (isBare ? '' : String.fromCharCode(0xdc00 + (idOfTree(embed) % 0x400))) : comparable(text);
  const oldLetters = before.map(letters).join('');
  const changes = diffText(oldLetters, after.map(letters).join(''), rules.budget);
  const [old, wanted] = [new Walk(before.filter(lengthOf)), new Walk(after.filter(lengthOf))];
  const steps = new Steps();
  const passEmbedded = () => {
    while (isBare && old.piece?.embed) steps.retain(lengthOf(old.take(1)));
  };
  let surroundingMarks = NO_MARKS;
  const add = (length: number) => {
    for (let left = length; left > 0; ) {
      const piece = wanted.take(Math.min(left, wanted.left));
      left -= lengthOf(piece);
      steps.insert({ ...piece, marks: piece.marks ?? surroundingMarks });
    }
  };
  const drop = (length: number) => {
    for (let left = length; left > 0; ) {
      passEmbedded();
      const piece = old.take(Math.min(left, old.left));
      left -= lengthOf(piece);
      surroundingMarks = piece.marks ?? surroundingMarks;
      steps.drop(lengthOf(piece));
    }
  };
  const keep = (length: number) => {
    for (let left = length; left > 0; ) {
      passEmbedded();
      const [oldEmbed, newEmbed] = [old.piece?.embed, wanted.piece?.embed];
      if (oldEmbed && newEmbed && idOfTree(oldEmbed) !== idOfTree(newEmbed)) {
        drop(1);
        add(1);
        left -= 1;
        continue;
      }
      const shared = Math.min(left, old.left, wanted.left);
      const piece = old.take(shared);
      surroundingMarks = piece.marks ?? surroundingMarks;
      steps.retain(shared, changedMarks(surroundingMarks, wanted.take(shared).marks, rules));
      left -= shared;
    }
  };
  let at = 0;
  for (const change of changes) {
    keep(change.at - at);
    drop(change.drop);
    add(change.add.length);
    at = change.at + change.drop;
  }
  keep(oldLetters.length - at);
  return steps.made;
}

/** The changes of formatting; undefined if there are none. */
function changedMarks(
  before: Marks,
  after: Marks | null,
  { markKey }: TextRules,
): Record<string, unknown> | undefined {
  if (after === null || before === after) return undefined;
  const keysOf = (marks: Marks) => new Set([...marks].map(([key, value]) => markKey(key, value)));
  const [oldKeys, newKeys] = [keysOf(before), keysOf(after)];
  const gone = [...before].filter(([key, value]) => !newKeys.has(markKey(key, value)));
  const added = [...after].filter(([key, value]) => !oldKeys.has(markKey(key, value)));
  if (gone.length + added.length === 0) return undefined;
  return Object.fromEntries([...gone.map(([key]) => [key, null]), ...added]);
}

/** Collects steps, and merges a step with an equal one before it. */
class Steps {
  readonly made: DeltaStep[] = [];

  retain(length: number, attributes?: Record<string, unknown>): void {
    const last = this.made.at(-1);
    if (last?.kind === 'retain' && !last.attributes && !attributes) last.length += length;
    else this.made.push({ kind: 'retain', length, attributes });
  }

  drop(length: number): void {
    const last = this.made.at(-1);
    if (last?.kind === 'delete') last.length += length;
    else this.made.push({ kind: 'delete', length });
  }

  insert(piece: Piece): void {
    this.made.push({ kind: 'insert', piece });
  }
}

/** Splits the steps of several joined texts; an insertion between two texts goes to the former. */
export function splitSteps(steps: DeltaStep[], lengths: number[]): DeltaStep[][] {
  const parts: DeltaStep[][] = lengths.map(() => []);
  let part = 0;
  let left = lengths[0] ?? 0;
  for (const step of steps) {
    if (step.kind === 'insert') {
      parts[part]?.push(step);
      continue;
    }
    for (let length = step.length; length > 0; ) {
      while (left === 0) left = lengths[++part] as number;
      const shared = Math.min(length, left);
      parts[part]?.push({ ...step, length: shared });
      length -= shared;
      left -= shared;
    }
  }
  return parts;
}

/** True if steps change anything. */
export const changesText = (steps: DeltaStep[]): boolean =>
  steps.some((step) => step.kind !== 'retain' || step.attributes !== undefined);

type YjsStep = Insertion | { retain: number; attributes?: Record<string, unknown> } | { delete: number };

/** Steps as Yjs accepts them, without those after the last change. */
export function yjsSteps(steps: DeltaStep[]): YjsStep[] {
  const end = steps.findLastIndex((step) => changesText([step]));
  return steps.slice(0, end + 1).flatMap((step): YjsStep[] => {
    if (step.kind === 'insert') return makePiece(step.piece);
    if (step.kind === 'delete') return [{ delete: step.length }];
    return [{ retain: step.length, ...(step.attributes && { attributes: { ...step.attributes } }) }];
  });
}
