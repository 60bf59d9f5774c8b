import type { ScreenshotData } from '../services/screenshot-service.ts';
import { itemsOf, responseAdapter } from './response-adapter.ts';

/** The pictures of a run in the order of its pages; pages without a picture are left out. */
export const screenshotResponse = responseAdapter({
  name: 'screenshot-response',

  respond: async (pages) => ({
    screenshots: await itemsOf(pages, isScreenshotData, ({ url, data }) => ({
      url,
      ...data,
    })),
  }),
});

const isScreenshotData = (data: unknown): data is ScreenshotData =>
  typeof data === 'object' && data !== null && 'artifactId' in data && typeof data.artifactId === 'string';
