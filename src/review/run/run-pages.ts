import type { Logger } from 'pino';
import type { Outside } from '../../outside/outside.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { listPlan, planPages } from '../../store/agents/execution-pages.ts';
import { handlesType } from '../core/content-type-filter.ts';
import type { Held, Run } from '../core/run-state.ts';
import { followsLinks } from '../cross-page/cross-page.ts';
import { usesBrowser } from '../gather/index.ts';
import { pageKey } from '../links/address.ts';
import { isPageLinks, pageUrlsOf } from '../links/page-links.ts';
import { runChecker } from '../links/run-checker.ts';
import { inScope } from './plan.ts';
import { type RunContext, reviewPage } from './run-page.ts';

const PAGES_AT_ONCE = { withBrowser: 4, without: 8 };

/** Reviews the planned pages, several at once, and those that scripts reveal on the way. */
export async function reviewPages(
  run: Run,
  held: Held,
  context: RunContext,
  { outside, log }: { outside: Outside; log: Logger },
): Promise<void> {
  const { db, scorer, ref, owner } = held;
  const plan = await listPlan(db, ref);
  const known = new Set(plan.map((page) => pageKey(page.url)));
  const waiting = plan.filter((page) => page.status === 'planned').map((page) => page.url);
  const limit = usesBrowser(run.behavior.contextGathering?.strategies)
    ? PAGES_AT_ONCE.withBrowser
    : PAGES_AT_ONCE.without;

  /** Plans the pages among these addresses that are not known yet, each under the address that answers. */
  const discover = async (urls: string[]) => {
    const candidates = urls.filter((url) => !known.has(pageKey(url)) && inScope(run.behavior, url));
    if (candidates.length === 0 || known.size >= run.request.maxUrlsToProcess) return;
    const checker = runChecker(context);
    const read = await Promise.all(
      candidates.map((url) => checker.read(url, context.signal).catch(() => undefined)),
    );
    context.signal.throwIfAborted();
    const fresh: string[] = [];
    for (const reached of read) {
      if (!handlesType(run.behavior, reached?.final.contentType)) continue;
      const url = reached?.final.page && reached.final.url;
      if (!url || known.has(pageKey(url)) || !inScope(run.behavior, url) || !sameHost(url, run.row.seedUrl))
        continue;
      if (known.size >= run.request.maxUrlsToProcess) break;
      known.add(pageKey(url));
      fresh.push(url);
    }
    if (fresh.length === 0) return;
    await db.transaction().execute(async (tx) => {
      await holdLease(tx, ref, owner);
      await planPages(tx, ref, fresh);
    });
    waiting.push(...fresh);
  };
  let active = 0;
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      if (waiting.length === 0 && active === 0) return resolve();
      while (active < limit && waiting.length > 0) {
        const url = waiting.shift()!;
        active += 1;
        reviewPage(run, url, context, { db, outside, scorer, owner, log })
          .then(({ gathered }) => {
            const links = gathered.find((one) => one.name === 'web-page-links')?.data;
            if (followsLinks(run) && isPageLinks(links)) return discover(pageUrlsOf(links));
          })
          .then(() => {
            active -= 1;
            next();
          }, reject);
      }
    };
    next();
  });
}

const sameHost = (url: string, other: string): boolean => new URL(url).host === new URL(other).host;
