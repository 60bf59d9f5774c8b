import { compareByUnique, compareLists, type DiffBudget } from './compare-lists.ts';

/** The properties of a list element by which its counterpart is found. */
export interface ListSlot {
  /** Equal for equal elements. */
  id: number;
  /** Elements of the same shape can be turned into each other; null if the element can only be replaced. */
  shape: string | null;
  /** A rough fingerprint of the content. */
  features: () => ReadonlySet<string>;
}

/** Indexes of an old element and of the new one that it stays or becomes. */
export type Pair = [before: number, after: number];

/** Most candidate pairs that are compared with each other. */
const MAX_COMPARED_PAIRS = 2_500;
/** Similarity of two elements that share only their shape, where 1 is equal. */
const SHAPE_WEIGHT = 0.1;
/** In longer lists: the distance within which a counterpart is searched, and the least similarity. */
const SEARCH_DISTANCE = 8;
const MIN_SIMILARITY = 0.5;

/** Pairs as many new elements with old ones as possible, equal elements first. Pairs do not cross. */
export function alignLists(before: ListSlot[], after: ListSlot[], budget: DiffBudget): Pair[] {
  const anchors = findEqual(
    before.map((slot) => slot.id),
    after.map((slot) => slot.id),
    budget,
  );
  const pairs: Pair[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [oldEnd, newEnd] of [...anchors, [before.length, after.length] as Pair]) {
    const gap = pairSimilar(before.slice(oldAt, oldEnd), after.slice(newAt, newEnd));
    for (const [old, wanted] of gap) pairs.push([oldAt + old, newAt + wanted]);
    if (oldEnd < before.length) pairs.push([oldEnd, newEnd]);
    [oldAt, newAt] = [oldEnd + 1, newEnd + 1];
  }
  return pairs;
}

function findEqual(before: number[], after: number[], budget: DiffBudget): Pair[] {
  const max = Math.min(before.length, after.length);
  let start = 0;
  while (start < max && before[start] === after[start]) start++;
  let end = 0;
  while (end < max - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const pairs: Pair[] = [];
  for (let index = 0; index < start; index++) pairs.push([index, index]);
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  for (const [old, wanted] of findInMiddle(oldMiddle, newMiddle, budget)) {
    pairs.push([start + old, start + wanted]);
  }
  for (let back = end; back > 0; back--) pairs.push([before.length - back, after.length - back]);
  return pairs;
}

function findInMiddle(before: number[], after: number[], budget: DiffBudget): Pair[] {
  const stretches = compareLists(before, after, budget) ?? compareByUnique(before, after);
  const pairs: Pair[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const stretch of stretches) {
    if (stretch.isSame) {
      for (let step = 0; step < stretch.before; step++) pairs.push([oldAt + step, newAt + step]);
    }
    oldAt += stretch.before;
    newAt += stretch.after;
  }
  return pairs;
}

/** Pairs the most similar elements of the same shape. */
function pairSimilar(before: ListSlot[], after: ListSlot[]): Pair[] {
  const cells = before.length * after.length;
  if (cells === 0) return [];
  return cells <= MAX_COMPARED_PAIRS ? pairByWeight(before, after) : pairNearby(before, after);
}

/** Similarity of two elements from 0 to 1; 0 if one cannot be turned into the other. */
function similarity(a: ListSlot, b: ListSlot): number {
  if (a.shape === null || a.shape !== b.shape) return 0;
  const [mine, others] = [a.features(), b.features()];
  let shared = 0;
  for (const feature of mine) if (others.has(feature)) shared++;
  return SHAPE_WEIGHT + (1 - SHAPE_WEIGHT) * (shared && (2 * shared) / (mine.size + others.size));
}

function pairByWeight(before: ListSlot[], after: ListSlot[]): Pair[] {
  const width = after.length + 1;
  const gains = new Float64Array(before.length * width);
  const best = new Float64Array((before.length + 1) * width);
  for (let old = before.length - 1; old >= 0; old--) {
    for (let wanted = after.length - 1; wanted >= 0; wanted--) {
      const cell = old * width + wanted;
      gains[cell] = similarity(before[old]!, after[wanted]!);
      best[cell] = Math.max(best[cell + width]!, best[cell + 1]!, gains[cell] + best[cell + width + 1]!);
    }
  }
  const pairs: Pair[] = [];
  for (let [old, wanted] = [0, 0]; old < before.length && wanted < after.length; ) {
    const cell = old * width + wanted;
    if (gains[cell]! > 0 && best[cell] === gains[cell]! + best[cell + width + 1]!)
      pairs.push([old++, wanted++]);
    else if (best[cell] === best[cell + width]) old++;
    else wanted++;
  }
  return pairs;
}

/** For long lists: searches only around the proportional position, and for very similar elements. */
function pairNearby(before: ListSlot[], after: ListSlot[]): Pair[] {
  const pairs: Pair[] = [];
  let next = 0;
  for (const [wanted, slot] of after.entries()) {
    const expected = Math.floor((wanted * before.length) / after.length);
    const start = Math.max(next, expected - SEARCH_DISTANCE);
    let found = { old: -1, similarity: MIN_SIMILARITY };
    for (let old = start; old < Math.min(before.length, Math.max(start, expected) + SEARCH_DISTANCE); old++) {
      const alike = similarity(before[old]!, slot);
      if (alike > found.similarity) found = { old, similarity: alike };
    }
    if (found.old < 0) continue;
    pairs.push([found.old, wanted]);
    next = found.old + 1;
  }
  return pairs;
}
