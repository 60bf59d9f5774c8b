import { RunFault } from './run-error.ts';

/**
 * Runs one phase under a time limit. It ends in time even where the work inside does not heed its signal:
 * what that still does is let go of.
 */
export async function withinTime<T>(
  phase: string,
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const both = AbortSignal.any([signal, limit.signal]);
  let stop: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      reject(new RunFault('TIMEOUT', `The ${phase} phase took longer than ${timeoutMs} ms.`));
      limit.abort();
    }, timeoutMs);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    signal.throwIfAborted();
    const working = work(both);
    working.catch(() => {});
    return await Promise.race([working, ended]);
  } finally {
    stop?.();
  }
}
