import { RunFault } from './run-error.ts';

/**
 * Runs one phase under a time limit and throws `TIMEOUT` when it expires. It returns in time even if the work ignores
 * its signal; such work continues in the background, and its result is discarded.
 */
export async function withTimeout<T>(
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
