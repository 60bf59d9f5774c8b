import type { LinksData } from '../services/broken-links-service.ts';
import { responseAdapter } from './response-adapter.ts';

/** The gravest faults of addresses, and how often addresses fail for which reason. */
export const brokenLinksResponse = responseAdapter({
  name: 'broken-links-response',

  async respond(pages, { total, gravest, byErrorType }) {
    let pagesChecked = 0;
    let linksChecked = 0;
    for await (const { result } of pages) {
      pagesChecked += 1;
      linksChecked += linksIn(result.data);
    }
    return {
      brokenLinksResults: {
        pagesChecked,
        linksChecked,
        totalBrokenLinks: total,
        byErrorType,
        brokenLinks: gravest.map(
          ({ sourceUrl, url, title, severity, issueType, errorType, statusCode, targetText }) => ({
            pageUrl: sourceUrl,
            url,
            title,
            severity,
            issueType,
            errorType: errorType ?? 'unknown',
            statusCode,
            targetText,
          }),
        ),
      },
    };
  },
});

function linksIn(data: unknown): number {
  const count = (data as Partial<LinksData> | undefined)?.linksChecked;
  return typeof count === 'number' ? count : 0;
}
