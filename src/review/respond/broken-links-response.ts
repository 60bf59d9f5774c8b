import type { TaskResult } from '../core/execute-task.ts';

/** Sums up a run of `broken-links`: what fails, on which page, and how often for which reason. */
export function brokenLinksResponse(results: { url: string; result: TaskResult }[]) {
  const brokenLinks = results.flatMap(({ url: pageUrl, result }) =>
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
      pagesChecked: results.length,
      linksChecked: results.reduce((sum, { result }) => sum + linksChecked(result.data), 0),
      totalBrokenLinks: brokenLinks.length,
      byErrorType,
      brokenLinks,
    },
  };
}

function linksChecked(data: unknown): number {
  const count = (data as { linksChecked?: unknown } | undefined)?.linksChecked;
  return typeof count === 'number' ? count : 0;
}
