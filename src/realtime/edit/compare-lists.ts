import { diffArrays } from 'diff';
import type { Doc } from 'yjs';

/**
 * The remaining budget for the diff of one change. All of the change's lists and texts share it, so that no content
 * takes much longer than a second.
 */
export interface DiffBudget {
  /** Budget for finding differences, roughly in nanoseconds. */
  left: number;
  /** Most places to change; beyond that, whole parts are replaced. */
  places: number;
  /** Throw `TooMuchWork` instead of falling back to a coarser comparison. */
  isShort?: boolean;
}

/** Finding a change takes too long for this thread; nothing has changed yet. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

/** `short` is for the main thread, which must not be blocked. */
export type Patience = 'short' | 'full';

const WORK_BY_PATIENCE: Record<Patience, number> = { short: 30_000_000, full: 600_000_000 };

/** The places are limited, because for each one Yjs may walk over all that a client ever wrote. */
export function newDiffBudget(doc: Doc, patience: Patience = 'full'): DiffBudget {
  let most = 1;
  for (const structs of doc.store.clients.values()) most = Math.max(most, structs.length);
  return {
    left: WORK_BY_PATIENCE[patience],
    places: Math.min(20_000, Math.ceil(500_000_000 / most)),
    isShort: patience === 'short',
  };
}

/** A run of elements that two lists share or that differ, by its length in each list. */
export interface Stretch {
  isSame: boolean;
  before: number;
  after: number;
}

/**
 * The shortest edit script between two lists (Myers, by the `diff` package), as alternating equal and different
 * stretches; undefined if there are more than `most` differences, or if it would take more than a third of the remaining
 * budget.
 */
export function compareLists<T>(
  before: T[],
  after: T[],
  budget: DiffBudget,
  most = Number.POSITIVE_INFINITY,
): Stretch[] | undefined {
  const size = before.length + after.length;
  // With D differences, D² paths are examined, each over up to all elements.
  const affordable = Math.floor((Math.sqrt(size * size + 200 * (Math.max(0, budget.left) / 3)) - size) / 100);
  const maxEditLength = Math.min(affordable, most);
  const cost = (differences: number) => differences * (size + 50 * differences) + size;
  const fewest = Math.abs(before.length - after.length);
  const changes = fewest > maxEditLength ? undefined : diffArrays(before, after, { maxEditLength });
  if (!changes) {
    if (budget.isShort && affordable < most) throw new TooMuchWork();
    budget.left -= fewest > maxEditLength ? 0 : cost(maxEditLength);
    return undefined;
  }
  const stretches: Stretch[] = [];
  let differences = 0;
  for (const { count, added, removed } of changes) {
    const isSame = !added && !removed;
    if (!isSame) differences += count;
    const last = stretches.at(-1);
    const stretch = last?.isSame === isSame ? last : { isSame, before: 0, after: 0 };
    if (stretch !== last) stretches.push(stretch);
    if (!added) stretch.before += count;
    if (!removed) stretch.after += count;
  }
  budget.left -= cost(differences);
  return stretches;
}

/** A coarse comparison for lists that differ much (patience diff): aligns elements that are unique in both lists. */
export function compareByUnique<T>(before: T[], after: T[]): Stretch[] {
  const oldPlaces = placesOfUnique(before);
  const candidates = [...placesOfUnique(after)].flatMap(([element, wanted]): [number, number][] => {
    const old = oldPlaces.get(element);
    return wanted === null || old === null || old === undefined ? [] : [[old, wanted]];
  });
  const stretches: Stretch[] = [];
  let [oldAt, newAt] = [0, 0];
  const differUntil = (old: number, wanted: number) => {
    if (old > oldAt || wanted > newAt) {
      stretches.push({ isSame: false, before: old - oldAt, after: wanted - newAt });
    }
  };
  for (const [old, wanted] of longestIncreasingSubsequence(candidates)) {
    // Equal neighbors are aligned with it, although they are not unique.
    if (old < oldAt) continue;
    differUntil(old, wanted);
    let length = 1;
    while (
      old + length < before.length &&
      wanted + length < after.length &&
      before[old + length] === after[wanted + length]
    ) {
      length++;
    }
    stretches.push({ isSame: true, before: length, after: length });
    [oldAt, newAt] = [old + length, wanted + length];
  }
  differUntil(before.length, after.length);
  return stretches;
}

function placesOfUnique<T>(list: T[]): Map<T, number | null> {
  const places = new Map<T, number | null>();
  for (const [index, element] of list.entries()) places.set(element, places.has(element) ? null : index);
  return places;
}

/** Longest increasing subsequence: of pairs in ascending order of the second number, most with ascending first ones. */
function longestIncreasingSubsequence(pairs: [number, number][]): [number, number][] {
  // The element at n ends the best sequence of length n + 1.
  const ends: { pair: [number, number]; previous: (typeof ends)[number] | undefined }[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]!.pair[0] < pair[0]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, previous: ends[low - 1] };
  }
  const rise: [number, number][] = [];
  for (let end = ends.at(-1); end; end = end.previous) rise.push(end.pair);
  return rise.reverse();
}
