import type { PreviewData } from '../services/og-image-service.ts';
import { hasList, pagesWithData, responseAdapter } from './response-adapter.ts';

/** The preview tags and pictures of each page, and what is wrong with them. */
export const ogImageCheckerResponse = responseAdapter({
  name: 'og-image-checker-response',

  respond(results) {
    const pages = pagesWithData(results, isPreviewData).map(({ url, data, findings }) => {
      const contentOf = (name: string) => data.tags.find((tag) => tag.name === name)?.content;
      return {
        url,
        title: contentOf('og:title'),
        description: contentOf('og:description'),
        image: contentOf('og:image'),
        images: data.images,
        issues: findings.map(({ issueType, severity, title }) => ({ issueType, severity, title })),
      };
    });
    return {
      ogImageResults: {
        pagesChecked: pages.length,
        pagesWithImage: pages.filter(({ image }) => image).length,
        totalIssues: pages.reduce((sum, { issues }) => sum + issues.length, 0),
        pages,
      },
    };
  },
});

const isPreviewData = (data: unknown): data is PreviewData =>
  hasList(data, 'tags') && hasList(data, 'images');
