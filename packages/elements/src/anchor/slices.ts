/** Shorter than a frame, so that the page stays smooth. */
const SLICE_MS = 8;
/** Steps take less than this even when their code runs first, and none is begun in the last part of a slice. */
const LAST_STEP_MS = 4;

interface Scheduling {
  scheduler?: { postTask?: (work: () => void) => Promise<unknown> };
}

/** Lets the page draw and react before the work goes on. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const { scheduler } = globalThis as Scheduling;
    if (scheduler?.postTask) scheduler.postTask(() => resolve()).catch(() => resolve());
    else setTimeout(resolve);
  });

/**
 * Does work in slices of about 8 ms, whose lengths it adds to `measured`. Resolves to its result; undefined if the signal
 * ends it.
 */
export async function inSlices<T>(
  work: Generator<undefined, T, undefined>,
  signal?: AbortSignal,
  measured: number[] = [],
): Promise<T | undefined> {
  while (!signal?.aborted) {
    const began = performance.now();
    do {
      const step = work.next();
      if (step.done) {
        measured.push(performance.now() - began);
        return step.value;
      }
    } while (performance.now() - began < SLICE_MS - LAST_STEP_MS);
    measured.push(performance.now() - began);
    await pause();
  }
  return undefined;
}
