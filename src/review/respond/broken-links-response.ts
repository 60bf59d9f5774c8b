import { asObject } from '../../lib/json.ts';
import type { LinksData } from '../services/broken-links-service.ts';
import { responseAdapter } from './response-adapter.ts';

/** The gravest faults of addresses, and how often addresses fail for which reason. Other findings do not count. */
export const brokenLinksResponse = responseAdapter({
  name: 'broken-links-response',
  having: 'errorType',

  async respond(pages, { gravest, byErrorType: listed }) {
    let pagesChecked = 0;
    let linksChecked = 0;
    const byErrorType = { ...listed };
    for await (const { result } of pages) {
      const data = linksData(result.data);
      pagesChecked += 1;
      linksChecked += data.linksChecked;
      for (const [type, count] of Object.entries(data.omittedByErrorType))
        byErrorType[type] = (byErrorType[type] ?? 0) + count;
    }
    return {
      brokenLinksResults: {
        pagesChecked,
        linksChecked,
        totalBrokenLinks: Object.values(byErrorType).reduce((sum, count) => sum + count, 0),
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

/** The counts of a page; none if other services or earlier versions made its data. */
function linksData(data: unknown) {
  const { linksChecked = 0, omittedByErrorType = {} } = (data ?? {}) as Partial<LinksData>;
  return {
    linksChecked: typeof linksChecked === 'number' ? linksChecked : 0,
    omittedByErrorType: asObject(omittedByErrorType) as Record<string, number>,
  };
}
