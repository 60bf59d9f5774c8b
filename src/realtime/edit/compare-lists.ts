import { diffArrays } from 'diff';
import type { Doc } from 'yjs';

/**
 * What one change may still cost. All lists and texts of it share that, so that no content, however made up, takes
 * much longer than a second.
 */
export interface Effort {
  /** For looking for differences, about in nanoseconds. */
  left: number;
  /** How many places may be changed. Beyond them, whole parts are. */
  places: number;
  /** Comparing stops with `TooMuchWork` where it would settle for a coarser result. */
  isShort?: boolean;
}

/** A change takes longer to find than the thread that asks for it may be kept busy; nothing has changed yet. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

/** Patience `short` is for threads that others wait for. */
export type Patience = 'short' | 'full';

const EFFORT: Record<Patience, number> = { short: 30_000_000, full: 600_000_000 };

/** Yjs goes over all that a client ever wrote for each place that a change cuts into. */
export function newEffort(doc: Doc, patience: Patience = 'full'): Effort {
  let most = 1;
  for (const structs of doc.store.clients.values()) most = Math.max(most, structs.length);
  return {
    left: EFFORT[patience],
    places: Math.min(20_000, Math.ceil(500_000_000 / most)),
    isShort: patience === 'short',
  };
}

/** A run of elements that two lists share or do not, by how many of each it has. */
export interface Stretch {
  isSame: boolean;
  before: number;
  after: number;
}

/**
 * The shortest way from one list to another, as stretches that are the same and stretches that differ in turn;
 * undefined where it would take more than a third of what is left of the effort.
 */
export function compareLists<T>(before: T[], after: T[], effort: Effort): Stretch[] | undefined {
  const size = before.length + after.length;
  // With D differences, D² paths are looked at, and each may pass over all elements.
  const maxEditLength = Math.floor(
    (Math.sqrt(size * size + 200 * (Math.max(0, effort.left) / 3)) - size) / 100,
  );
  const cost = (differences: number) => differences * (size + 50 * differences) + size;
  const fewest = Math.abs(before.length - after.length);
  const changes = fewest > maxEditLength ? undefined : diffArrays(before, after, { maxEditLength });
  if (!changes) {
    if (effort.isShort) throw new TooMuchWork();
    effort.left -= fewest > maxEditLength ? 0 : cost(maxEditLength);
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
  effort.left -= cost(differences);
  return stretches;
}

/** The same for lists that differ too much for that: rests on what either has once, as far as it is in order. */
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
  for (const [old, wanted] of longestRise(candidates)) {
    // Equal ones that follow belong to it, though they may be elsewhere too.
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

/** Of pairs whose second numbers rise, as many as can be whose first numbers rise too. */
function longestRise(pairs: [number, number][]): [number, number][] {
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
