/**
 * The pauses of a loop that polls: the shortest one after something was found or announced, twice as long after each
 * further empty poll.
 */
export interface Pace {
  /** Pauses before the next poll. The signal ends the pause early. */
  pause(signal?: AbortSignal): Promise<void>;
  /** The last poll found something. */
  found(): void;
  /** There may be something to find. Ends the present or next pause as soon as it has lasted `afterMs`. */
  wake(afterMs?: number): void;
}

/** A pace for a loop that is woken by everything in this process that makes work for it; others wait up to `maxMs`. */
export function createPace({ minMs, maxMs }: { minMs: number; maxMs: number }): Pace {
  let nextMs = minMs;
  /** Length to which a wake-up has cut the next pause. */
  let cutTo = Number.POSITIVE_INFINITY;
  let shorten = (_ms: number): void => {};
  return {
    pause: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const startedAt = performance.now();
        const end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          shorten = () => {};
          cutTo = Number.POSITIVE_INFINITY;
          resolve();
        };
        let endsAfter = Math.min(nextMs, cutTo);
        let timer = setTimeout(end, endsAfter);
        nextMs = Math.min(maxMs, nextMs * 2);
        shorten = (ms) => {
          if (ms >= endsAfter) return;
          endsAfter = ms;
          clearTimeout(timer);
          timer = setTimeout(end, Math.max(0, startedAt + ms - performance.now()));
        };
        signal?.addEventListener('abort', end, { once: true });
      }),
    found() {
      nextMs = minMs;
    },
    wake(afterMs = 0) {
      nextMs = minMs;
      cutTo = Math.min(cutTo, afterMs);
      shorten(afterMs);
    },
  };
}
