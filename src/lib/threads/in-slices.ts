/** Length of a slice, after which other events are handled. */
const SLICE_MS = 4;

const waiting: (() => void)[] = [];

/**
 * Resolves when the caller may continue long work in the main thread. The event loop runs once between two slices of
 * any callers, so that requests that arrived meanwhile are handled.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(grant);
  });
}

function grant(): void {
  waiting[0]!();
  // The granted work begins as a microtask after this function.
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) grant();
  });
}

/** Maps items in slices of the event loop. */
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
