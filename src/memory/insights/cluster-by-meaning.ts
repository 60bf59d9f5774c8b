import { nextSlice } from '../../lib/threads/in-slices.ts';
import { dotProduct, meanDirection } from '../../lib/vectors.ts';

export interface Vectored {
  /** A unit vector. */
  vector: Float32Array;
}

/** Pairs sampled to estimate the similarity of unrelated items. */
const SAMPLED_PAIRS = 2_000;
/** The threshold lies at this share of the way from unrelated (the sampled similarity) to identical (1). */
const SAME_SHARE = 0.47;
const MAX_THRESHOLD = 0.85;
/** Limit of groups; further items stay ungrouped. */
const MAX_GROUPS = 1_000;
/** Time after which the loop yields to the event loop. */
const SLICE_MS = 12;

/** Yields to the event loop when a time slice is used up. */
export function yieldingSlices(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return nextSlice().then(() => {
      since = performance.now();
    });
  };
}

export interface Group<Item> {
  /** Closest to the center first. */
  members: Item[];
}

/**
 * Similarity from which two items are about the same thing: at least `minimum`, and higher for models that find
 * everything somewhat similar, as the least similar tenth of sampled pairs shows.
 */
export function similarityThreshold(items: readonly Vectored[], minimum: number): number {
  const pairs = Math.min(SAMPLED_PAIRS, items.length);
  const found = Array.from({ length: pairs }, (_, index) => {
    const [one, step] = [
      Math.floor((index * items.length) / pairs),
      1 + ((index * 7_919) % (items.length - 1)),
    ];
    return dotProduct(items[one]!.vector, items[(one + step) % items.length]!.vector);
  }).sort((a, b) => a - b);
  const unrelated = found[Math.floor(found.length / 10)] ?? 0;
  return Math.min(MAX_THRESHOLD, Math.max(minimum, unrelated + SAME_SHARE * (1 - unrelated)));
}

/**
 * Groups items about the same thing, two or more per group. Leader clustering with moving centroids: items join the
 * nearest centroid in order of arrival, then a second pass assigns them to the final centroids. The same items in the
 * same order give the same groups. Takes time proportional to items times groups, and yields in between. Ours, because
 * density-clustering (DBSCAN and OPTICS, without a release for years) compares all pairs and cannot yield, and k-means
 * needs the number of groups in advance.
 */
export async function groupByMeaning<Item extends Vectored>(
  items: readonly Item[],
  minimum: number,
): Promise<Group<Item>[]> {
  if (items.length < 2) return [];
  const threshold = similarityThreshold(items, minimum);
  const yieldIfDue = yieldingSlices();
  const groups: { center: Float32Array; sum: Float32Array; size: number }[] = [];
  for (const { vector } of items) {
    const { at, similarity } = nearest(groups, vector);
    if (at !== undefined && similarity >= threshold) {
      const group = groups[at]!;
      for (let index = 0; index < vector.length; index++) group.sum[index]! += vector[index]!;
      group.size += 1;
      group.center = meanDirection([group.sum]);
    } else if (groups.length < MAX_GROUPS) {
      groups.push({ center: vector, sum: vector.slice(), size: 1 });
    }
    await yieldIfDue();
  }
  const lasting = groups.filter(({ size }) => size > 1);
  const members = lasting.map((): { item: Item; similarity: number }[] => []);
  for (const item of items) {
    const { at, similarity } = nearest(lasting, item.vector);
    if (at !== undefined && similarity >= threshold) members[at]!.push({ item, similarity });
    await yieldIfDue();
  }
  return members
    .filter((group) => group.length > 1)
    .map((group) => ({
      members: group.toSorted((a, b) => b.similarity - a.similarity).map(({ item }) => item),
    }));
}

function nearest(
  groups: readonly { center: Float32Array }[],
  vector: Float32Array,
): { at: number | undefined; similarity: number } {
  let at: number | undefined;
  let similarity = -1;
  for (let index = 0; index < groups.length; index++) {
    const here = dotProduct(groups[index]!.center, vector);
    if (here > similarity) {
      at = index;
      similarity = here;
    }
  }
  return { at, similarity };
}
