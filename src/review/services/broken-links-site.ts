import type { DraftFinding } from '../../shapes/agents/execution.ts';
import { linkOptions } from '../../shapes/agents/service-options.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import { collectSitemaps } from '../gather/sitemap-data.ts';
import { linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';
import { createHostComparison } from '../links/rules/canonical-hosts.ts';
import { createDuplicateFinder } from '../links/rules/duplicates.ts';
import { keyOnSite, readFacts } from '../links/rules/site-facts.ts';
import { sitemapFindings, type UnlinkedEntry } from '../links/rules/sitemap.ts';
import { createSkip } from '../links/skipped-addresses.ts';
import type { ReviewedSite, SiteRules } from './review-service.ts';

/** The limit of the sitemap protocol for one file. */
const MAX_ENTRIES = 50_000;
/** Entries without a page in the run that are requested. */
const MAX_ASKED = 2_000;

/** Rules of `broken-links` across the pages of a run: equal titles, stray canonical addresses, and the sitemap. */
export const linksOfSite: SiteRules = {
  issueTypes: new Set([
    'duplicate-title',
    'duplicate-description',
    'canonical-other-host',
    'sitemap-broken',
    'sitemap-orphan',
  ]),

  async review(site, context) {
    const duplicates = createDuplicateFinder();
    const hosts = createHostComparison();
    const linked = new Set<string>();
    let first: string | undefined;
    for await (const { url, facts } of site.pages()) {
      first ??= url;
      linked.add(keyOnSite(url));
      const read = readFacts(facts);
      if (!read) continue;
      duplicates.add(url, read);
      hosts.add(url, read);
      for (const key of read.linked) linked.add(key);
    }
    const found = duplicates.findings();
    const add = (url: string, more: DraftFinding[]) => {
      if (more.length > 0) found.set(url, [...(found.get(url) ?? []), ...more]);
    };
    for (const [url, more] of hosts.findings()) add(url, more);
    // The sitemap is no page of the run; what it lists is reported on the first one.
    if (first !== undefined) add(first, await ofSitemap(site, linked, context));
    return found;
  },
};

async function ofSitemap(
  { seedUrl, execution, isWhole }: ReviewedSite,
  linked: ReadonlySet<string>,
  context: RunContext,
): Promise<DraftFinding[]> {
  const { fetch, signal, log } = context;
  const { host } = new URL(seedUrl);
  const isSkipped = createSkip(linkOptions.parse(execution.strategyOptions?.['broken-links'] ?? {}).skip);
  const { entries } = await collectSitemaps(seedUrl, MAX_ENTRIES, fetch, signal);
  const isLinked = (url: string) => new URL(url).host !== host || linked.has(keyOnSite(url));
  const unlinked = entries.map(({ loc }) => loc).filter((url) => !isLinked(url) && !isSkipped(url));
  if (unlinked.length > MAX_ASKED) {
    const message = `The sitemap has ${unlinked.length} addresses to which no reviewed page links; ${MAX_ASKED} of them are checked.`;
    log({ level: 'info', message });
  }
  const checker = linkCheckerOf(context);
  const asked = await Promise.all(
    unlinked.slice(0, MAX_ASKED).map(async (url): Promise<UnlinkedEntry> => {
      return { url, inspected: await checker.inspect({ url, valid: true, kind: 'relation' }, signal) };
    }),
  );
  return sitemapFindings(asked, { isWhole, isLinked });
}
