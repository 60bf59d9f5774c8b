import { FetchFailure } from '../../outside/outside.ts';
import type { PageContext, PageTask } from '../core/execute-task.ts';
import { type PageHtml, webPageHtml } from '../gather/web-page-html.ts';
import { readHtml } from '../rules/html-page.ts';
import { imageSizeOf } from '../rules/open-graph/image-size.ts';
import { judgePreview } from '../rules/open-graph/open-graph.ts';
import { type FetchedImage, imageUrlsOf, previewTagsOf } from '../rules/open-graph/preview.ts';
import type { Service } from './review-service.ts';
import { gatheredBy, howMany } from './reviewed-page.ts';

/** Enough for the header of any picture with the data that cameras put before it. */
const MAX_IMAGE_BYTES = 512_000;
const MAX_IMAGES = 10;
const TIMEOUT_MS = 15_000;

/** What a run of the preview image checker tells of a page. */
export interface PreviewData {
  tags: { name: string; content: string }[];
  images: {
    url: string;
    status?: number;
    mimeType?: string;
    width?: number;
    height?: number;
    problem?: string;
  }[];
}

/** Checks the tags and the picture that decide how a shared link to the page looks. */
export const ogImageChecker: Service = {
  id: 'og-image-checker',
  isPublic: true,
  choice: {
    demand: 'for the preview picture',
    askedBy: /\bog:image\b|\b(open ?graph|social|sharing|share|preview) (image|picture|card)s?\b/i,
    unless: /\bog:(?!image)|\btwitter:(?!image)/i,
    reason: 'The picture for previews is checked by fetching it, which needs no model.',
    strategies: ['web-page-html'],
  },

  async run(task, context) {
    const page = gatheredBy<PageHtml>(webPageHtml.name, task) ?? (await readPage(task, context));
    const html = readHtml(page.source);
    const tags = previewTagsOf(html);
    const urls = imageUrlsOf(tags, page.url).slice(0, MAX_IMAGES);
    const images = new Map(
      await Promise.all(
        urls.map(
          async (url) =>
            [url, await context.once(`preview image ${url}`, () => fetchImage(url, context))] as const,
        ),
      ),
    );
    const findings = [...judgePreview(html, page.url, images)];
    const data: PreviewData = {
      tags: tags.all.map(({ name, content }) => ({ name, content })),
      images: [...images].map(([url, image]) =>
        'problem' in image
          ? { url, problem: image.problem }
          : {
              url,
              status: image.status,
              mimeType: image.mimeType,
              width: image.size?.width,
              height: image.size?.height,
            },
      ),
    };
    return {
      findings,
      data,
      summary: `Checked ${howMany(data.tags.length, 'tag')} and ${howMany(urls.length, 'picture')}; ${howMany(findings.length, 'problem')} found.`,
    };
  },
};

async function fetchImage(url: string, { fetch, signal }: PageContext): Promise<FetchedImage> {
  try {
    const answer = await fetch(url, {
      maxBytes: MAX_IMAGE_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
      headers: { accept: 'image/*,*/*;q=0.5' },
    });
    const mimeType = answer.headers['content-type'] ?? '';
    return { status: answer.status, mimeType, size: imageSizeOf(answer.body), finalUrl: answer.url };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchFailure) return { problem: error.message };
    throw error;
  }
}

function readPage({ url, deviceType }: PageTask, { browser, signal }: PageContext): Promise<PageHtml> {
  const options = webPageHtml.options.parse({});
  const view = webPageHtml.view(options, deviceType);
  return browser.withPage(url, view, { signal }, (loaded) =>
    webPageHtml.gather({ url, deviceType: view.deviceType, options, page: loaded.page, loaded, signal }),
  );
}
