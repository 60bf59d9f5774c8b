import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { withoutFragment } from '../links/address.ts';
import { whyUnread } from '../links/follow-redirects.ts';
import { linkCheckerOf } from '../links/link-checker-of-run.ts';
import { findingOf } from '../links/link-findings.ts';
import { type PageLinks, pageLinks } from '../links/page-links.ts';
import { reviewLinks } from '../links/review-links.ts';
import type { Service } from './review-service.ts';

export interface LinksData {
  linksChecked: number;
  linksBroken: number;
  linksUnchecked?: number;
}

/** Finds every address of a page that fails its readers, on the rendered page if it was gathered. */
export const brokenLinks: Service = {
  id: 'broken-links',
  isPublic: true,
  reads: ['web-page-links'],
  isQuick: false,
  choice: {
    demand: 'whether links work',
    askedBy:
      /\b(broken|dead|404)\b.*\b(links?|urls?|hrefs?)\b|\b(links?|urls?|hrefs?)\b.*\b(works?|working|functional|broken|dead|resolves?|valid|reachable|404|not found)\b/i,
    unless: /\b(new (tab|window)|hover|colou?rs?|underlin|styles?|texts?|labels?|names?|descriptive|focus)/i,
    reason: 'Whether links work is checked by asking them, which needs no model.',
    strategies: ['web-page-links'],
    responseAdapter: 'broken-links-response',
  },

  async run(task, context) {
    const checker = linkCheckerOf(context);
    const page = await linksOf(task, context);
    const timeUp = context.timeoutMs === undefined ? undefined : AbortSignal.timeout(context.timeoutMs);
    const { faults, unchecked } = await reviewLinks(page, checker, context.signal, timeUp);
    const findings = faults.map(findingOf);
    const linksChecked = new Set(page.links.map(({ url }) => url)).size - unchecked.length;
    if (unchecked.length > 0) {
      const message = `${task.url}: ${unchecked.length} addresses could not be checked in time.`;
      context.log({ level: 'warn', message, data: { url: task.url, unchecked: unchecked.slice(0, 20) } });
    }
    return {
      findings,
      data: {
        linksChecked,
        linksBroken: findings.length,
        ...(unchecked.length > 0 && { linksUnchecked: unchecked.length }),
      },
      summary: `Checked ${linksChecked} addresses; ${findings.length} of them fail.${
        unchecked.length > 0 ? ` Time was over before ${unchecked.length} more answered.` : ''
      }`,
    };
  },
};

async function linksOf(task: PageTask, context: PageContext): Promise<PageLinks> {
  const gathered = gatheredLinks(task);
  if (!gathered) return readLinks(task.url, context);
  if (isSamePage(gathered.finalUrl, task.url)) return gathered;
  // The page refreshed to its target in the browser. Its own links are needed, to check the target as one of them.
  const { final } = await linkCheckerOf(context).read(task.url, context.signal);
  const leaves = final.page?.links.some(({ kind }) => kind === 'refresh');
  return final.page && leaves && !isSamePage(gathered.finalUrl, final.url) ? final.page : gathered;
}

const isSamePage = (one: string, other: string) =>
  withoutFragment(URL.parse(one)?.href ?? one) === withoutFragment(URL.parse(other)?.href ?? other);

function gatheredLinks(task: PageTask): PageLinks | undefined {
  const gathered = task.gathered.find(({ name }) => name === 'web-page-links');
  const parsed = pageLinks.safeParse(gathered?.data);
  return parsed.success ? parsed.data : undefined;
}

async function readLinks(url: string, context: PageContext): Promise<PageLinks> {
  const chain = await linkCheckerOf(context).read(url, context.signal);
  if (chain.final.page) return chain.final.page;
  throw new Error(`The page could not be read: ${whyUnread(chain)}.`);
}
