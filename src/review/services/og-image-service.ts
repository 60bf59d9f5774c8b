import { plural } from '../../lib/text/plural.ts';
import { FetchFailure } from '../../outside/net/outbound-fetch.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { type PageHtml, webPageHtml } from '../gather/web-page-html.ts';
import { imageSizeOf } from '../rules/open-graph/image-size.ts';
import { checkPictures } from '../rules/open-graph/picture-faults.ts';
import { createPreview, type FetchedImage, imageUrlsOf, previewTagsOf } from '../rules/open-graph/preview.ts';
import { previewRules } from '../rules/open-graph/preview-rules.ts';
import { checkRequiredTags, checkUrl, checkValues } from '../rules/open-graph/tag-faults.ts';
import { gatheredData } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Enough for the header of any picture and the metadata of cameras before it. */
const MAX_IMAGE_BYTES = 512_000;
const MAX_IMAGES = 10;
const TIMEOUT_MS = 15_000;

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

/** Checks the tags and the picture for previews of links to the page. */
export const ogImageChecker: Service = {
  id: 'og-image-checker',
  isPublic: true,
  reads: [webPageHtml.name],
  isQuick: true,
  rules: { category: 'sharing', table: previewRules },
  choice: {
    demand: 'for the preview picture',
    askedBy: /\bog:image\b|\b(open ?graph|social|sharing|share|preview) (image|picture|card)s?\b/i,
    unless: /\bog:(?!image)|\btwitter:(?!image)/i,
    reason: 'The picture for previews is checked by fetching it, which needs no model.',
    strategies: ['web-page-html'],
  },

  async run(task, context) {
    const page = gatheredData<PageHtml>(webPageHtml.name, task) ?? (await readPage(task, context));
    const { readHtml } = await import('../rules/html-page.ts');
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
    const preview = createPreview(html, page.url, images);
    for (const check of [checkPictures, checkRequiredTags, checkUrl, checkValues]) check(preview);
    const findings = [...preview.findings];
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
      summary: `Checked ${plural(data.tags.length, 'tag')} and ${plural(urls.length, 'picture')}; ${plural(findings.length, 'problem')} found.`,
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
