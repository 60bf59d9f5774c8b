import type { PreviewData } from '../services/og-image-service.ts';
import { hasList, MAX_LISTED, pagesWithData, responseAdapter } from './response-adapter.ts';

/** The preview tags and pictures of each page, and what is wrong with them. */
export const ogImageCheckerResponse = responseAdapter({
  name: 'og-image-checker-response',

  async respond(results, { total }) {
    const pages: object[] = [];
    let pagesChecked = 0;
    let pagesWithImage = 0;
    for await (const { url, data, findings } of pagesWithData(results, isPreviewData)) {
      const contentOf = (name: string) => data.tags.find((tag) => tag.name === name)?.content;
      pagesChecked += 1;
      if (contentOf('og:image')) pagesWithImage += 1;
      if (pages.length >= MAX_LISTED) continue;
      pages.push({
        url,
        title: contentOf('og:title'),
        description: contentOf('og:description'),
        image: contentOf('og:image'),
        images: data.images,
        issues: findings.map(({ issueType, severity, title }) => ({ issueType, severity, title })),
      });
    }
    return { ogImageResults: { pagesChecked, pagesWithImage, totalIssues: total, pages } };
  },
});

const isPreviewData = (data: unknown): data is PreviewData =>
  hasList(data, 'tags') && hasList(data, 'images');
