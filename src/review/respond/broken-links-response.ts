import type { LinksData } from '../services/broken-links-service.ts';
import { responseAdapter } from './response-adapter.ts';

/** Which addresses fail, on which pages, and how often for which reason. */
export const brokenLinksResponse = responseAdapter({
  name: 'broken-links-response',

  respond(pages) {
    const brokenLinks = pages.flatMap(({ url: pageUrl, result }) =>
      result.findings.map(({ url, title, severity, issueType, errorType, statusCode, targetText }) => ({
        pageUrl,
        url,
        title,
        severity,
        issueType,
        errorType: errorType ?? 'unknown',
        statusCode,
        targetText,
      })),
    );
    const byErrorType: Record<string, number> = {};
    for (const { errorType } of brokenLinks) byErrorType[errorType] = (byErrorType[errorType] ?? 0) + 1;
    return {
      brokenLinksResults: {
        pagesChecked: pages.length,
        linksChecked: pages.reduce((sum, { result }) => sum + linksChecked(result.data), 0),
        totalBrokenLinks: brokenLinks.length,
        byErrorType,
        brokenLinks,
      },
    };
  },
});

function linksChecked(data: unknown): number {
  const count = (data as Partial<LinksData> | undefined)?.linksChecked;
  return typeof count === 'number' ? count : 0;
}
