import type { TaskContext } from '../execute/strategy.ts';
import { type Checker, createChecker } from './checker.ts';
import { extractLinks } from './extract.ts';
import type { PageLinks } from './page-links.ts';

/** The checker that all pages of a run share, its planning included. */
export function runChecker({
  once,
  fetch,
  browser,
}: Pick<TaskContext, 'once' | 'fetch' | 'browser'>): Checker {
  return once('link-checker', () =>
    createChecker({
      fetch,
      render: (url, signal): Promise<PageLinks> =>
        browser.withPage(
          url,
          { deviceType: 'desktop', waitUntil: 'networkidle', skip: ['image', 'media', 'font'] },
          { signal },
          async ({ page }) => extractLinks(await page.content(), page.url(), { rendered: true }),
        ),
    }),
  );
}
