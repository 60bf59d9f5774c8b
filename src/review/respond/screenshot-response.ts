import type { ScreenshotData } from '../services/screenshot-service.ts';
import { pagesWithData, responseAdapter } from './response-adapter.ts';

/** The pictures of a run in the order of its pages; pages without a picture are left out. */
export const screenshotResponse = responseAdapter({
  name: 'screenshot-response',

  respond: (pages) => ({
    screenshots: pagesWithData(pages, isScreenshotData).map(({ url, data }) => ({ url, ...data })),
  }),
});

const isScreenshotData = (data: unknown): data is ScreenshotData =>
  typeof data === 'object' && data !== null && 'artifactId' in data && typeof data.artifactId === 'string';
