import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import type { Inspected } from '../link-checker.ts';
import { linkIssue } from '../link-rules.ts';

/** An entry of a sitemap that leads to no page of the crawl, with the answer to its address. */
export interface UnlinkedEntry {
  url: string;
  inspected: Inspected;
}

/**
 * Findings for entries of a sitemap that fail, and, if the crawl has seen the whole site, for those that no page links
 * to. `isLinked` tells whether a page links to an address.
 */
export function sitemapFindings(
  entries: readonly UnlinkedEntry[],
  { isWhole, isLinked }: { isWhole: boolean; isLinked(url: string): boolean },
): DraftFinding[] {
  return entries.flatMap(({ url, inspected: { fault, chain } }): DraftFinding[] => {
    const place = { url, findingType: 'page' as const, isPageLevel: true };
    const status = fault?.status ?? 0;
    // Other faults may be those of a moment, or of a server that keeps machines out.
    if (fault?.type === 'http' && status >= 400) {
      return [
        {
          ...place,
          title: `Broken entry of the sitemap (HTTP ${status})`,
          description: `The sitemap of the site lists ${url}, which answers with HTTP ${status}.`,
          ...linkIssue('sitemap-broken'),
          statusCode: status,
          confidence: status >= 500 ? 80 : 100,
          suggestion: 'Remove the entry, or restore the page.',
        },
      ];
    }
    const answer = chain?.final;
    const isPage = answer?.status === 200 && answer.isHtml;
    if (!isWhole || fault || !isPage || isLinked(url) || isLinked(answer.url)) return [];
    return [
      {
        ...place,
        title: 'Page of the sitemap without a link to it',
        description: `The sitemap of the site lists ${url}, to which no page of the site links.`,
        ...linkIssue('sitemap-orphan'),
        confidence: 90,
        suggestion: 'Link to the page from where readers look for it, or remove it.',
        cause: 'pages of the sitemap without a link',
      },
    ];
  });
}
