import type { Browser } from '../src/outside/browser/browser.ts';

let current: Browser | undefined;

/** One browser for the tests of a file that need one; the next file gets a fresh one. */
export const sharedBrowser = (create: () => Browser): Browser => ({
  withPage(...request) {
    current ??= create();
    return current.withPage(...request);
  },
  close: closeSharedBrowser,
});

/** Files share a process, and some look for browsers among its children: none may be left by another file. */
export async function closeSharedBrowser(): Promise<void> {
  const browser = current;
  current = undefined;
  await browser?.close();
}
