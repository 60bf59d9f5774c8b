import * as Y from 'yjs';
import { changeList } from './change-list.ts';
import { newEffort, type Patience } from './compare-lists.ts';
import { exactMark, newInterner } from './intern-trees.ts';
import { exactKey } from './plain-json.ts';
import { type Codec, type Plan, planChange } from './plan-change.ts';
import {
  type Branch,
  isBranch,
  newBranch,
  type Piece,
  readTree,
  type SharedType,
  type Tree,
  visibleItems,
} from './value-tree.ts';

/**
 * Makes everything in a document as it is in another, formatting and shared types included, by as small a change as
 * can be found, in one transaction; what the other lacks is emptied. The other may be discarded then.
 */
export function restoreContent(doc: Y.Doc, from: Y.Doc, patience?: Patience): void {
  const codec = newExactManner(doc, patience);
  const plan: Plan = [];
  for (const key of new Set([...doc.share.keys(), ...from.share.keys()])) {
    planRoot(doc.get(key), from.share.get(key), codec, plan);
  }
  if (plan.length > 0) {
    doc.transact(() => {
      for (const step of plan) step();
    });
  }
}

function planRoot(root: SharedType, source: SharedType | undefined, codec: Codec, plan: Plan): void {
  const sort = hasText(root) || (source && hasText(source)) ? 'text' : 'array';
  const before = readTree(root, 'refuse', sort);
  const after = source ? readTree(source, 'refuse', sort) : newBranch(sort);
  if (!before.isMixed && !after.isMixed) {
    planChange(before, after, codec, plan);
    return;
  }
  if (codec.sign(before) === codec.sign(after)) return;
  // One was used as a text and the other as a list: nothing of the one can become the other.
  plan.push(() => changeList(root, [{ at: 0, remove: root._length, add: [] }]));
  const ownSort = source && hasText(source) ? 'text' : 'array';
  const own = source ? readTree(source, 'refuse', ownSort) : newBranch(ownSort);
  planChange(newBranch(ownSort, { type: root, entries: before.entries }), own, codec, plan);
}

/** A text may consist of nothing but formatting and types. */
const hasText = (root: SharedType): boolean => {
  for (const { content, countable } of visibleItems(root, true)) {
    if (!countable || content instanceof Y.ContentString || content instanceof Y.ContentEmbed) return true;
  }
  return false;
};

/** Compares all that Yjs keeps. */
const newExactManner = (doc: Y.Doc, patience?: Patience): Codec => ({
  effort: newEffort(doc, patience),
  spell: (text) => text.toWellFormed(),
  markKey: exactMark,
  sign: newInterner(writeExactly),
  group: (items) => items.map((item) => [item]),
  isGhost: () => false,
  shape: (item) => (isBranch(item) && !item.isMixed ? `${item.sort} ${item.name}` : null),
  become: (before, after) =>
    isBranch(after) && !before.isMixed && after.sort === before.sort && after.name === before.name
      ? after
      : undefined,
});

function writeExactly(tree: Tree, sign: (inner: Tree) => number): string {
  if (tree.sort === 'subdocument') return `document ${tree.document.guid}`;
  if (!isBranch(tree)) return `value ${exactKey(tree.value)}`;
  const entries = [...tree.entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    tree.sort,
    tree.name,
    entries.map(([key, value]) => [key, sign(value)]),
    tree.items.map(sign),
    writePieces(tree, sign),
  ]);
}

function writePieces({ pieces }: Branch, sign: (inner: Tree) => number): unknown[] {
  const written: { text: string; embed: number | null; look: string }[] = [];
  for (const { text, embed, marks } of pieces as Piece[]) {
    const look = [...(marks ?? [])]
      .map(([key, value]) => exactMark(key, value))
      .sort()
      .join();
    const last = written.at(-1);
    if (last && last.embed === null && !embed && last.look === look) last.text += text.toWellFormed();
    else written.push({ text: text.toWellFormed(), embed: embed && sign(embed), look });
  }
  return written;
}
