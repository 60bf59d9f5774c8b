import type { Fields } from '../../lib/json.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { extractLinks } from './extract-links.ts';
import { type Checker, createChecker } from './link-checker.ts';
import type { PageLinks } from './page-links.ts';

/** The part of a run's context that the checker needs. */
export interface CheckerContext {
  fetch: SafeFetch;
  browser: Browser;
  once<T>(key: string, make: () => T): T;
  log(line: { level: 'info'; message: string; data?: Fields }): void;
}

/** The checker that the plan and all pages of a run share. */
export function linkCheckerOf({ once, fetch, browser, log }: CheckerContext): Checker {
  return once('link-checker', () =>
    createChecker({
      fetch,
      onUnchecked: (url) =>
        log({ level: 'info', message: 'Not checked: the address is internal.', data: { url } }),
      render: (url, signal): Promise<PageLinks> =>
        browser.withPage(
          url,
          { deviceType: 'desktop', waitUntil: 'settled', skip: ['image', 'media', 'font'] },
          { signal },
          async ({ page }) => extractLinks(await page.content(), page.url(), { rendered: true }),
        ),
    }),
  );
}
