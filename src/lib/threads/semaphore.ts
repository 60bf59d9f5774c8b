/**
 * A counting semaphore: at most `count` holders at a time, and waiters are served in order of arrival.
 *
 * It is ours, because p-limit and p-queue bind a slot to one function: there, a waiter whose signal aborts stays in
 * line, and the slot is free as soon as the function settles. Here the waiter leaves the line at once, and the holder
 * says when the slot is free, such as after a page has been closed behind an answer that was given before.
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
