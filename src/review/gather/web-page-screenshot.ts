import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { DeviceType } from '../../outside/outside.ts';
import { deviceTypeOption } from './device-type.ts';
import { pageStrategy } from './strategy.ts';
import { browserWait, waitUntil } from './wait-until.ts';

/** Chromium draws nothing beyond: the largest surface of its renderer. */
const MAX_HEIGHT_PX = 16_384;
/** Models shrink or refuse taller pictures, so they get a tall page in pieces. */
const PIECE_HEIGHT_PX = 4000;
const CAPTURE_TIMEOUT_MS = 30_000;

export const screenshotOptions = z.looseObject({
  scrollBeforeCapture: z
    .boolean()
    .default(true)
    .describe('Scroll through the whole page first, so that what loads on sight is there.'),
  maxPageHeightPx: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`Cap on the captured height; never more than ${MAX_HEIGHT_PX}.`),
  waitUntil: waitUntil.optional(),
  deviceType: deviceTypeOption.optional(),
});

export interface Screenshot {
  /** A PNG of the page in CSS px. */
  bytes: Uint8Array;
  /** The same in pieces from top to bottom, small enough for a model to read. */
  pieces: Uint8Array[];
  width: number;
  height: number;
  /** Whether the page goes on below the picture. */
  truncated: boolean;
  deviceType: DeviceType;
}

/** The full page as a picture. */
export const webPageScreenshot = pageStrategy({
  name: 'web-page-screenshot',
  options: screenshotOptions,

  view: (options, deviceType) => ({
    deviceType: options.deviceType ?? deviceType,
    waitUntil: browserWait(options.waitUntil, 'networkidle'),
  }),

  async gather({ page, options, deviceType }): Promise<Screenshot> {
    const maxHeight = Math.min(options.maxPageHeightPx ?? MAX_HEIGHT_PX, MAX_HEIGHT_PX);
    if (options.scrollBeforeCapture) await page.evaluate(scrollThrough, maxHeight);
    const size = await page.evaluate(measurePage);
    const width = Math.min(size.width, MAX_HEIGHT_PX);
    const height = Math.min(size.height, maxHeight);
    const bytes = await capture(page, { x: 0, y: 0, width, height });
    const pieces: Uint8Array[] = [];
    if (height <= PIECE_HEIGHT_PX) pieces.push(bytes);
    for (let y = 0; y < height && height > PIECE_HEIGHT_PX; y += PIECE_HEIGHT_PX) {
      pieces.push(await capture(page, { x: 0, y, width, height: Math.min(PIECE_HEIGHT_PX, height - y) }));
    }
    return { bytes, pieces, width, height, truncated: size.height > height, deviceType };
  },

  toPrompt({ pieces, width, height, truncated, deviceType }, { url }) {
    const inPieces = pieces.length > 1 ? `, in ${pieces.length} pieces from top to bottom` : '';
    const cut = truncated ? '; the page goes on below' : '';
    return [
      { text: `Screenshot of ${url} (${deviceType}, ${width} x ${height} px${inPieces}${cut}):` },
      ...pieces.map((image) => ({ image, mimeType: 'image/png' })),
    ];
  },
});

const capture = (page: Page, clip: { x: number; y: number; width: number; height: number }) =>
  page.screenshot({
    type: 'png',
    fullPage: true,
    clip,
    scale: 'css',
    animations: 'disabled',
    timeout: CAPTURE_TIMEOUT_MS,
  });

/** Runs in the page. */
function measurePage() {
  const { documentElement: root, body } = document;
  return {
    width: Math.max(root.clientWidth, 1),
    height: Math.max(root.scrollHeight, body?.scrollHeight ?? 0, root.clientHeight, 1),
  };
}

/** Runs in the page. A page that grows as it is scrolled is followed down to the height that is captured. */
async function scrollThrough(maxHeight: number) {
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const step = Math.max(200, Math.floor(innerHeight * 0.8));
  const bottom = () => Math.min(document.documentElement.scrollHeight, maxHeight);
  const deadline = performance.now() + 10_000;
  for (let top = 0; top < bottom() && performance.now() < deadline; top += step) {
    scrollTo({ top, behavior: 'instant' });
    await pause(100);
  }
  scrollTo({ top: 0, behavior: 'instant' });
  const loading = [...document.images].filter((image) => !image.complete);
  const loaded = loading.map(
    (image) =>
      new Promise<void>((done) => {
        image.addEventListener('load', () => done(), { once: true });
        image.addEventListener('error', () => done(), { once: true });
      }),
  );
  await Promise.race([Promise.all(loaded), pause(3000)]);
  await pause(50);
}
