import type { Browser } from './browser.ts';

/**
 * A browser whose driver is loaded with the first page: loading it takes longer than opening the database, and many
 * processes never open a page.
 */
export function lazyBrowser(load: () => Promise<Browser>): Browser {
  let loading: Promise<Browser> | undefined;
  return {
    async withPage(...request) {
      loading ??= load();
      return await (await loading).withPage(...request);
    },
    async close() {
      await (await loading)?.close();
    },
  };
}
