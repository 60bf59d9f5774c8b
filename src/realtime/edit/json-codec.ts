import type { Doc } from 'yjs';
import { storable } from '../../lib/text/cut-text.ts';
import { newDiffBudget, type Patience } from './compare-lists.ts';
import { createInterner, exactMark } from './intern-trees.ts';
import { type Json, jsonKey, jsonObject, jsonOf } from './plain-json.ts';
import type { Codec } from './plan-change.ts';
import { type Branch, isBranch, isText, newBranch, plain, type Tree } from './value-tree.ts';
import { xmlOf } from './xml-form.ts';

/** Content as JSON, with nested texts without their formatting and XML as a string. */
export function jsonOfTree(tree: Tree, level = 0): Json {
  if (tree.sort === 'plain') return jsonOf(tree.value, level);
  if (!isBranch(tree)) return null;
  switch (tree.sort) {
    case 'text':
      return storable(tree.pieces.map((piece) => piece.text).join(''));
    case 'array':
      return tree.items.map((item) => jsonOfTree(item, level + 1));
    case 'map':
    case 'hook':
      return jsonObject(
        [...tree.entries].filter(([, value]) => !isUndefined(value)),
        (value) => jsonOfTree(value, level + 1),
      );
    default:
      return xmlOf(tree);
  }
}

const isUndefined = (tree: Tree): boolean => tree.sort === 'plain' && tree.value === undefined;

/**
 * Compares content as JSON. The new content is plain values: a shared type of the same shape is changed in place, and new
 * values are stored plain.
 */
export const newJsonCodec = (doc: Doc, patience?: Patience): Codec => ({
  budget: newDiffBudget(doc, patience),
  comparable: storable,
  markKey: exactMark,
  idOfTree: createInterner((tree) => jsonKey(jsonOfTree(tree))),
  group: (items) => items.map((item) => [item]),
  isInvisible: () => false,
  shape: (item) => (isBranch(item) ? item.sort : shapeOf(item)),
  become: (before, after) => (after.sort === 'plain' ? becomeJson(before, after.value) : undefined),
});

function shapeOf(tree: Tree): string | null {
  if (tree.sort !== 'plain') return null;
  if (typeof tree.value === 'string') return 'text';
  if (Array.isArray(tree.value)) return 'array';
  return typeof tree.value === 'object' && tree.value !== null ? 'map' : null;
}

/** A shared type with new content; properties that JSON cannot express stay. */
export function becomeJson(before: Branch, value: unknown): Branch | undefined {
  if (before.isMixed || shapeOf(plain(value)) !== before.sort) return undefined;
  const { sort, entries, items } = before;
  if (isText(before)) {
    return newBranch(sort, { entries, pieces: [{ text: value as string, embed: null, marks: null }] });
  }
  if (sort === 'array') return newBranch(sort, { entries, items: (value as unknown[]).map(plain) });
  const wanted = Object.entries(value as object).map(([key, inner]): [string, Tree] => [key, plain(inner)]);
  const unseen = [...entries].filter(([, tree]) => isUndefined(tree));
  return newBranch(sort, { items, entries: new Map([...unseen, ...wanted]) });
}
