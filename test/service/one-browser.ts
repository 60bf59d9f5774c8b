import type { Browser } from '../../src/outside/browser/browser.ts';

let current: Browser | undefined;

/** One browser for all tests of a process that review pages, started when first needed. */
export const sharedBrowser = (create: () => Browser): Browser => ({
  withPage(...request) {
    current ??= create();
    return current.withPage(...request);
  },
  close: endSharedBrowser,
});

/** For tests that look for browsers among the children of the process; the next review starts another. */
export async function endSharedBrowser(): Promise<void> {
  const browser = current;
  current = undefined;
  await browser?.close();
}
