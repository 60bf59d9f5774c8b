import * as Y from 'yjs';
import { changeList } from './change-list.ts';
import { newDiffBudget, type Patience } from './compare-lists.ts';
import { createInterner, exactMark } from './intern-trees.ts';
import { exactKey } from './plain-json.ts';
import { type Codec, type EditPlan, planChange } from './plan-change.ts';
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
 * Makes a document equal to another one, including formatting and shared types, by the smallest change found, in one
 * transaction. Content that the other document lacks is removed. The other document is only read.
 */
export function restoreContent(doc: Y.Doc, from: Y.Doc, patience?: Patience): void {
  const codec = newExactCodec(doc, patience);
  const plan: EditPlan = [];
  for (const key of new Set([...doc.share.keys(), ...from.share.keys()])) {
    planRoot(doc.get(key), from.share.get(key), codec, plan);
  }
  if (plan.length > 0) {
    doc.transact(() => {
      for (const step of plan) step();
    });
  }
}

function planRoot(root: SharedType, source: SharedType | undefined, codec: Codec, plan: EditPlan): void {
  const sort = hasText(root) || (source && hasText(source)) ? 'text' : 'array';
  const before = readTree(root, 'refuse', sort);
  const after = source ? readTree(source, 'refuse', sort) : newBranch(sort);
  if (!before.isMixed && !after.isMixed) {
    planChange(before, after, codec, plan);
    return;
  }
  if (codec.idOfTree(before) === codec.idOfTree(after)) return;
  // One root is a text and the other a list, so all content is replaced.
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

/** Compares everything that Yjs stores. */
const newExactCodec = (doc: Y.Doc, patience?: Patience): Codec => ({
  budget: newDiffBudget(doc, patience),
  comparable: (text) => text.toWellFormed(),
  markKey: exactMark,
  idOfTree: createInterner(writeExactly),
  group: (items) => items.map((item) => [item]),
  isInvisible: () => false,
  shape: (item) => (isBranch(item) && !item.isMixed ? `${item.sort} ${item.name}` : null),
  become: (before, after) =>
    isBranch(after) && !before.isMixed && after.sort === before.sort && after.name === before.name
      ? after
      : undefined,
});

function writeExactly(tree: Tree, idOfTree: (inner: Tree) => number): string {
  if (tree.sort === 'subdocument') return `document ${tree.document.guid}`;
  if (!isBranch(tree)) return `value ${exactKey(tree.value)}`;
  const entries = [...tree.entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    tree.sort,
    tree.name,
    entries.map(([key, value]) => [key, idOfTree(value)]),
    tree.items.map(idOfTree),
    writePieces(tree, idOfTree),
  ]);
}

function writePieces({ pieces }: Branch, idOfTree: (inner: Tree) => number): unknown[] {
  const written: { text: string; embed: number | null; look: string }[] = [];
  for (const { text, embed, marks } of pieces as Piece[]) {
    const look = [...(marks ?? [])]
      .map(([key, value]) => exactMark(key, value))
      .sort()
      .join();
    const last = written.at(-1);
    if (last && last.embed === null && !embed && last.look === look) last.text += text.toWellFormed();
    else written.push({ text: text.toWellFormed(), embed: embed && idOfTree(embed), look });
  }
  return written;
}
