import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { linkIssue } from '../link-rules.ts';
import type { PageFacts } from './site-facts.ts';

const MIN_PAGES = 5;
/** Share of pages that must agree before the others count as mistaken. */
const MAJORITY = 0.9;

/** Finds the few pages of a site whose canonical address is on another host than that of nearly all others. */
export function createHostComparison() {
  const byHost = new Map<string, { url: string; canonical: string }[]>();
  let pages = 0;
  return {
    add(url: string, { canonical }: PageFacts): void {
      const host = canonical === undefined ? undefined : URL.parse(canonical)?.host;
      if (host === undefined) return;
      pages++;
      const known = byHost.get(host) ?? [];
      known.push({ url, canonical: canonical! });
      byHost.set(host, known);
    },

    /** Findings by the URL of their page. */
    findings(): Map<string, DraftFinding[]> {
      const [usual] = [...byHost].sort(([, a], [, b]) => b.length - a.length);
      if (!usual || pages < MIN_PAGES || usual[1].length < pages * MAJORITY) return new Map();
      const [usualHost] = usual;
      const others = [...byHost].filter(([host]) => host !== usualHost);
      return new Map(
        others.flatMap(([host, named]) =>
          named.map(({ url, canonical }) => [url, [findingOf(canonical, host, usualHost)]] as const),
        ),
      );
    },
  };
}

const findingOf = (canonical: string, host: string, usualHost: string): DraftFinding => ({
  title: `Canonical address on another host: ${host}`,
  description: `The page calls ${canonical} its address, while nearly all pages of the site name addresses on ${usualHost}.`,
  ...linkIssue('canonical-other-host'),
  url: canonical,
  htmlSelector: 'head > link[rel="canonical" i]',
  findingType: 'page',
  isPageLevel: true,
  confidence: 80,
  suggestion: `Name the address on ${usualHost}, unless the page is a copy of one there.`,
  cause: `canonical host ${host}`,
});
