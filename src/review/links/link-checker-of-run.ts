import type { Fields } from '../../lib/json.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import { extractLinks } from './extract-links.ts';
import { type Checker, createChecker } from './link-checker.ts';
import { createOutsideReach, type OutsideReach } from './outside-reach.ts';
import type { PageLinks } from './page-links.ts';

/** The part of a run's context that the checker needs. */
export interface CheckerContext {
  fetch: SafeFetch;
  browser: Browser;
  once<T>(key: string, make: () => T): T;
  log(line: { level: 'info'; message: string; data?: Fields }): void;
}

/** The checker that the plan and all pages of a run share. */
export function linkCheckerOf(context: CheckerContext): Checker {
  const { once, fetch, browser, log } = context;
  return once('link-checker', () => {
    const reach = outsideReachOf(context);
    return createChecker({
      fetch,
      onRead: reach.learn,
      onAnswer: reach.note,
      onUnchecked: (url) =>
        log({ level: 'info', message: 'Not checked: the address is internal.', data: { url } }),
      render: (url, signal): Promise<PageLinks> =>
        browser.withPage(
          url,
          { deviceType: 'desktop', waitUntil: 'settled', skip: ['image', 'media', 'font'] },
          { signal },
          async ({ page }) => extractLinks(await page.content(), page.url(), { rendered: true }),
        ),
    });
  });
}

/** What the run has seen of hosts outside of its site. */
export const outsideReachOf = ({ once }: Pick<CheckerContext, 'once'>): OutsideReach =>
  once('outside-reach', createOutsideReach);

/** True if no host outside of the site answers in this run. */
export function isOutsideSilent(context: CheckerContext, signal: AbortSignal): Promise<boolean> {
  const { fetch } = context;
  const checker = linkCheckerOf(context);
  const ask = async (url: string, again: boolean) => {
    // A checker of its own has no memory of the answers to the first round.
    const asked = again ? createChecker({ fetch }) : checker;
    const { chain } = await asked.inspect({ url, valid: true, kind: 'relation' }, signal);
    return chain!;
  };
  return outsideReachOf(context).isSilent(ask);
}
