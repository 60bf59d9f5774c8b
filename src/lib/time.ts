import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps for a time in milliseconds. A signal ends the sleep early, which is no error. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal && { signal }).catch(() => {});

/**
 * The outcome of some work, or `late` after a time in milliseconds. Work that is late goes on, and an error that it
 * then throws is dropped.
 */
export async function within<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  const done = new AbortController();
  work.catch(() => {});
  try {
    const timeout = sleep(ms, late, { signal: done.signal });
    timeout.catch(() => {});
    return await Promise.race([work, timeout]);
  } finally {
    done.abort();
  }
}

/**
 * The outcome of some work, or the reason of the signal, thrown as soon as it fires. Use it for work that does not end
 * with the signal by itself; it goes on, and an error that it then throws is dropped.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
