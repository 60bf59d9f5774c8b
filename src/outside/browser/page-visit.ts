import { PageFailure } from './browser.ts';

/** Longest wait, after an error of a page that died, for the event that says so. A busy machine delays the event. */
const CRASH_EVENT_MS = 5_000;

export const pageAborted = (cause?: unknown) =>
  new PageFailure('aborted', 'The page was given up.', { cause });

/** Limits the use of a page: it ends with the work, or earlier on abort, timeout or crash. */
export function createVisit(signal: AbortSignal, timeoutMs: number) {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  interrupted.catch(() => {});
  let isOver = false;
  let failure: PageFailure | undefined;
  const interrupt = (reason: PageFailure) => {
    failure ??= reason;
    reject(failure);
  };
  const abort = () => interrupt(pageAborted(signal.reason));
  const timer = setTimeout(() => interrupt(new PageFailure('timeout', 'The page took too long.')), timeoutMs);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });

  return {
    get isOver() {
      return isOver;
    },
    crashed: () => interrupt(new PageFailure('crash', 'The browser went away while the page was in use.')),
    async run<T>(working: Promise<T>): Promise<T> {
      try {
        return await Promise.race([working, interrupted]);
      } catch (error) {
        const mayBeCrash = !failure && /crash|closed/i.test((error as Error).message);
        if (mayBeCrash)
          await Promise.race([interrupted, new Promise((done) => setTimeout(done, CRASH_EVENT_MS))]);
        throw failure ?? error;
      }
    },
    end() {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}
