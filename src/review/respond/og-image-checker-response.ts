import type { TaskResult } from '../core/execute-task.ts';
import type { PreviewData } from '../execute/services/og-image-service.ts';

/** Sums up a run of `og-image-checker`: each page's tags and pictures, and what is wrong with them. */
export function ogImageCheckerResponse(results: readonly { url: string; result: TaskResult }[]) {
  const pages = results.flatMap(({ url, result }) => {
    if (!isPreviewData(result.data)) return [];
    const { tags, images } = result.data;
    const contentOf = (name: string) => tags.find((tag) => tag.name === name)?.content;
    return [
      {
        url,
        title: contentOf('og:title'),
        description: contentOf('og:description'),
        image: contentOf('og:image'),
        images,
        issues: result.findings.map(({ issueType, severity, title }) => ({ issueType, severity, title })),
      },
    ];
  });
  return {
    ogImageResults: {
      pagesChecked: pages.length,
      pagesWithImage: pages.filter(({ image }) => image).length,
      totalIssues: pages.reduce((sum, { issues }) => sum + issues.length, 0),
      pages,
    },
  };
}

const isPreviewData = (data: unknown): data is PreviewData =>
  typeof data === 'object' && data !== null && 'tags' in data && Array.isArray(data.tags) && 'images' in data;
