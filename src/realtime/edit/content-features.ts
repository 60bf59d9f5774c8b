import { isBranch, type Tree } from './value-tree.ts';

/** So much of an element tells it from others well enough. */
const MAX_FEATURES = 200;

/** Pairs of letters that follow each other, and values with their keys: what two of a kind may have in common. */
export function featuresOf(trees: Tree[]): ReadonlySet<string> {
  const features = new Set<string>();
  const addText = (text: string) => {
    for (let at = 0; at < text.length && features.size < MAX_FEATURES; at++)
      features.add(text.slice(at, at + 2));
  };
  const visit = (value: unknown, key: string): void => {
    if (features.size >= MAX_FEATURES) return;
    if (typeof value === 'string' && !key) addText(value);
    else if (Array.isArray(value)) for (const item of value) visit(item, key);
    else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      for (const [inner, item] of Object.entries(value)) visit(item, inner);
    } else features.add(`${key}=${String(value).slice(0, 100)}`);
  };
  const visitTree = (tree: Tree, key = ''): void => {
    if (features.size >= MAX_FEATURES || tree.sort === 'subdocument') return;
    if (isBranch(tree)) {
      for (const [inner, value] of tree.entries) visitTree(value, inner);
      for (const { text } of tree.pieces) addText(text);
      for (const item of tree.items) visitTree(item);
    } else visit(tree.value, key);
  };
  for (const tree of trees) visitTree(tree);
  return features;
}
