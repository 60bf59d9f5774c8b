import type { Fields } from '../../../lib/json.ts';
import type { Browser } from '../../../outside/browser/browser.ts';
import type { SafeFetch } from '../../../outside/net/outbound-fetch.ts';
import { type Checker, type CheckerOptions, createChecker } from '../link-checker.ts';
import { createOutsideReach, type OutsideReach } from '../outside-reach.ts';
import { loadLinks } from './rendered-links.ts';
import { createRenderingChoice, type RenderingChoice } from './rendering-choice.ts';

/** The part of a run's context that the checker needs. */
export interface CheckerContext {
  fetch: SafeFetch;
  browser: Browser;
  once<T>(key: string, make: () => T): T;
  leadsToLogin?: CheckerOptions['leadsToLogin'];
  log(line: { level: 'info' | 'warn'; message: string; data?: Fields }): void;
  /** The context of the site, if several runs share it; it then stands for their own. */
  site?: Omit<CheckerContext, 'site'> | undefined;
}

/** The context in which the pages of a site are fetched. */
export const siteOf = (context: CheckerContext): CheckerContext => context.site ?? context;

/** The checker that the plan and all pages of a run share. */
export function linkCheckerOf(ofRun: CheckerContext): Checker {
  const context = siteOf(ofRun);
  const { once, fetch, browser, log } = context;
  return once('link-checker', () => {
    const reach = outsideReachOf(context);
    return createChecker({
      fetch,
      leadsToLogin: context.leadsToLogin,
      onRead: reach.learn,
      onAnswer: reach.note,
      onUnchecked: (url) =>
        log({ level: 'info', message: 'Not checked: the address is internal.', data: { url } }),
      // Called for pages whose scripts may add the target of a fragment.
      render: async (url, signal) => {
        const { page } = (await linkCheckerOf(context).read(url, signal)).final;
        if (page && renderingChoiceOf(context).addsNoTargets(page)) return page;
        return await loadLinks(browser, url, 'desktop', signal);
      },
    });
  });
}

/** The knowledge of a run about the scripts of its pages. */
export function renderingChoiceOf(context: CheckerContext): RenderingChoice {
  const { once, log } = siteOf(context);
  return once('rendering-choice', () =>
    createRenderingChoice((spared) =>
      log({
        level: 'warn',
        message: `Scripts change the links of a page, but not those of pages with the same scripts before it. ${spared} pages were read without running these scripts.`,
      }),
    ),
  );
}

/** The answers that a run has seen of hosts outside of its site. */
export const outsideReachOf = (context: Pick<CheckerContext, 'once' | 'site'>): OutsideReach =>
  (context.site ?? context).once('outside-reach', createOutsideReach);

/** True if no host outside of the site answers in this run. */
export function isOutsideSilent(context: CheckerContext, signal: AbortSignal): Promise<boolean> {
  const { fetch } = siteOf(context);
  const checker = linkCheckerOf(context);
  const ask = async (url: string, again: boolean) => {
    // A checker of its own has no memory of the answers to the first round.
    const asked = again ? createChecker({ fetch }) : checker;
    const { chain } = await asked.inspect({ url, valid: true, kind: 'relation' }, signal);
    return chain!;
  };
  return outsideReachOf(context).isSilent(ask);
}
