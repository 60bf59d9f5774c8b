import type { Browser, SafeFetch } from '../../outside/outside.ts';
import { type Checker, createChecker } from './checker.ts';
import { extractLinks } from './extract.ts';
import type { PageLinks } from './page-links.ts';

/** The part of a run's context that the checker needs. */
export interface CheckerContext {
  fetch: SafeFetch;
  browser: Browser;
  once<T>(key: string, make: () => T): T;
  log(line: { level: 'info'; message: string; data?: Record<string, unknown> }): void;
}

/** The checker that the plan and all pages of a run share. */
export function runChecker({ once, fetch, browser, log }: CheckerContext): Checker {
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
