/** After so long, what else has come is looked at first. */
const SLICE_MS = 4;

const waiting: (() => void)[] = [];

/**
 * Resolves when it is the turn of the caller to go on with long work in the main thread. Between two turns of
 * any callers, the event loop goes round once: each request that came meanwhile is looked at.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(grant);
  });
}

function grant(): void {
  waiting[0]!();
  // The work that was granted begins behind this function, as a microtask.
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) grant();
  });
}

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
      await nextSlice();
      began = performance.now();
    }
  }
  return results;
}
