import { nextSlice } from '../../lib/threads/in-slices.ts';
import { dotProduct, meanDirection } from '../../lib/vectors.ts';

export interface Vectored {
  /** Of length one. */
  vector: Float32Array;
}

/** Of how many pairs it is filtered how alike things are that have nothing to do with each other. */
const SAMPLED_PAIRS = 2_000;
/** How far from there to the same thing two must be alike. */
const SAME_SHARE = 0.47;
const SAME_AT_LAST = 0.85;
/** More groups than this are not begun: what is new then stays on its own. */
const MAX_GROUPS = 1_000;
/** Lets others have their turn after so many milliseconds. */
const TURN_MS = 12;

/** Lets requests be answered in between, whenever it was at work for a while. */
export function turns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return nextSlice().then(() => {
      since = performance.now();
    });
  };
}

export interface Group<Item> {
  /** The most typical first. */
  members: Item[];
}

/**
 * From which cosine on two of these things are about the same: at least the given, and more of a model to which
 * everything is somewhat alike, as far as the least alike of them tell.
 */
export function sameFrom(items: readonly Vectored[], least: number): number {
  const pairs = Math.min(SAMPLED_PAIRS, items.length);
  const found = Array.from({ length: pairs }, (_, index) => {
    const [one, step] = [
      Math.floor((index * items.length) / pairs),
      1 + ((index * 7_919) % (items.length - 1)),
    ];
    return dotProduct(items[one]!.vector, items[(one + step) % items.length]!.vector);
  }).sort((a, b) => a - b);
  const apart = found[Math.floor(found.length / 10)] ?? 0;
  return Math.min(SAME_AT_LAST, Math.max(least, apart + SAME_SHARE * (1 - apart)));
}

/**
 * Groups of things that are about the same, of two or more, which are at least as alike as is said. Things join the nearest group in the order in which
 * they are given, and then once more, by where the groups came to lie: the same things in the same order give the
 * same groups. Takes time that grows with how many groups there are; others get their turns meanwhile.
 */
export async function groupByMeaning<Item extends Vectored>(
  items: readonly Item[],
  least: number,
): Promise<Group<Item>[]> {
  if (items.length < 2) return [];
  const enough = sameFrom(items, least);
  const turn = turns();
  const groups: { centre: Float32Array; sum: Float32Array; size: number }[] = [];
  for (const { vector } of items) {
    const { at, similarity } = nearest(groups, vector);
    if (at !== undefined && similarity >= enough) {
      const group = groups[at]!;
      for (let index = 0; index < vector.length; index++) group.sum[index]! += vector[index]!;
      group.size += 1;
      group.centre = meanDirection([group.sum]);
    } else if (groups.length < MAX_GROUPS) {
      groups.push({ centre: vector, sum: vector.slice(), size: 1 });
    }
    await turn();
  }
  const lasting = groups.filter(({ size }) => size > 1);
  const members = lasting.map((): { item: Item; similarity: number }[] => []);
  for (const item of items) {
    const { at, similarity } = nearest(lasting, item.vector);
    if (at !== undefined && similarity >= enough) members[at]!.push({ item, similarity });
    await turn();
  }
  return members
    .filter((group) => group.length > 1)
    .map((group) => ({
      members: group.toSorted((a, b) => b.similarity - a.similarity).map(({ item }) => item),
    }));
}

function nearest(
  groups: readonly { centre: Float32Array }[],
  vector: Float32Array,
): { at: number | undefined; similarity: number } {
  let at: number | undefined;
  let similarity = -1;
  for (let index = 0; index < groups.length; index++) {
    const here = dotProduct(groups[index]!.centre, vector);
    if (here > similarity) {
      at = index;
      similarity = here;
    }
  }
  return { at, similarity };
}
