import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps for some milliseconds. A signal ends the sleep early without an error. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal && { signal }).catch(() => {});

/** The result of `work`, or `late` after a timeout in milliseconds. Late work continues, and its error is ignored. */
export function within<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  // A plain timer: an AbortSignal that ends a sleep costs many times as much, and edits of live documents wait here.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, late);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Rejects the waiting calls of each signal. One listener serves them all, since adding one searches all others. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function waitingOn(signal: AbortSignal): Set<() => void> {
  const known = waiting.get(signal);
  if (known) return known;
  const calls = new Set<() => void>();
  waiting.set(signal, calls);
  signal.addEventListener(
    'abort',
    () => {
      for (const reject of calls) reject();
    },
    { once: true },
  );
  return calls;
}

/**
 * The result of `work`; throws the signal's reason as soon as it is aborted. For work that does not support signals: it
 * continues, and its error is ignored.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  const calls = waitingOn(signal);
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    calls.add(onAbort);
    work.then(resolve, reject).finally(() => calls.delete(onAbort));
  });
}
