import type { Browser } from '../src/outside/browser/browser.ts';

let current: Browser | undefined;

/** One browser for all tests of a file, started when first needed; the next file gets a new one. */
export const sharedBrowser = (create: () => Browser): Browser => ({
  withPage(...request) {
    current ??= create();
    return current.withPage(...request);
  },
  close: closeSharedBrowser,
});

/** Test files share a process, and some look for browsers among its children, so no browser may outlive its file. */
export async function closeSharedBrowser(): Promise<void> {
  const browser = current;
  current = undefined;
  await browser?.close();
}
