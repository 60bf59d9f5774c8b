/**
 * A counting semaphore: at most `count` holders at a time, and waiters are served in order of arrival. p-limit and
 * p-queue bind a slot to one function: an aborted waiter stays in the queue, and the slot is free as soon as the
 * function settles. Here an aborted waiter leaves the queue at once, and the holder releases the slot explicitly, for
 * example after a page has been closed in the background.
 */
export function createSemaphore(count: number): {
  /** Resolves to a function that releases the slot, once. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<() => void>;
} {
  let free = count;
  const waiting: (() => void)[] = [];

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      if (free > 0) free--;
      else {
        await new Promise<void>((resolve, reject) => {
          const go = () => {
            signal?.removeEventListener('abort', leave);
            resolve();
          };
          const leave = () => {
            waiting.splice(waiting.indexOf(go), 1);
            reject(signal?.reason);
          };
          waiting.push(go);
          signal?.addEventListener('abort', leave, { once: true });
        });
      }
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const next = waiting.shift();
        if (next) next();
        else free++;
      };
    },
  };
}
