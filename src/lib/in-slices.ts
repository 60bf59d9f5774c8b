import { setImmediate } from 'node:timers/promises';

/** After so long, what else has come is looked at first. */
const SLICE_MS = 10;

/** Maps items, and lets the main thread answer others in between where that takes long. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let began = performance.now();
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    if (performance.now() - began > SLICE_MS) {
      await setImmediate();
      began = performance.now();
    }
  }
  return results;
}
