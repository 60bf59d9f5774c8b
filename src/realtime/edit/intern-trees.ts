import { exactKey } from './plain-json.ts';
import type { Tree } from './value-tree.ts';

/**
 * Interns trees: those with the same serialization get the same number. `write` may use the numbers of inner trees, so
 * that each tree is serialized once, however deep it is.
 */
export function createInterner(write: (tree: Tree, idOfTree: (inner: Tree) => number) => string) {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Tree, number>();
  const idOfTree = (tree: Tree): number => {
    const before = known.get(tree);
    if (before !== undefined) return before;
    const text = write(tree, idOfTree);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(tree, number);
    return number;
  };
  return idOfTree;
}

/** The key of a mark in lossless comparisons. */
export const exactMark = (key: string, value: unknown): string => `${JSON.stringify(key)}:${exactKey(value)}`;
