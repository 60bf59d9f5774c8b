import { exactKey } from './plain-json.ts';
import type { Tree } from './value-tree.ts';

/**
 * Numbers contents so that those that are written alike get the same number. `write` may use the numbers of what is
 * within: then a tree is written but once, however deep it is.
 */
export function newSigner(write: (tree: Tree, sign: (inner: Tree) => number) => string) {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Tree, number>();
  const sign = (tree: Tree): number => {
    const before = known.get(tree);
    if (before !== undefined) return before;
    const text = write(tree, sign);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(tree, number);
    return number;
  };
  return sign;
}

/** What marks are the same by where nothing may be lost. */
export const exactMark = (key: string, value: unknown): string => `${JSON.stringify(key)}:${exactKey(value)}`;
