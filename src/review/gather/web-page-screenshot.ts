import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { DeviceType } from '../../shapes/agents/run.ts';
import { type PageInput, pageStrategy } from './gather-strategy.ts';
import { deviceTypeOption } from './reading/device-type-option.ts';
import { loadLazyContent } from './reading/load-lazy-content.ts';
import { browserWait, waitUntil } from './reading/wait-until.ts';

/** Largest surface of Chromium's renderer. */
const MAX_HEIGHT_PX = 16_384;
/** Models shrink or refuse taller pictures, so they get a tall page in pieces of this height. */
const PIECE_HEIGHT_PX = 4000;
/** The browser has a low priority, so a tall page takes a minute to capture while other programs use all processors. */
const TIMEOUT_MS = 90_000;

export const screenshotOptions = z.looseObject({
  scrollBeforeCapture: z
    .boolean()
    .default(true)
    .describe('Scrolls through the whole page first, so that lazy content is loaded.'),
  maxPageHeightPx: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`Maximum height of the screenshot in pixels; at most ${MAX_HEIGHT_PX}.`),
  waitUntil: waitUntil.optional(),
  deviceType: deviceTypeOption.optional(),
});

export interface Picture {
  /** A PNG of the page in CSS px. */
  bytes: Uint8Array;
  width: number;
  height: number;
  /** True if the page goes on below the picture. */
  truncated: boolean;
  deviceType: DeviceType;
}

export interface Screenshot extends Picture {
  /** The picture in pieces from top to bottom, small enough for models. */
  pieces: Uint8Array[];
}

type ScreenshotOptions = z.infer<typeof screenshotOptions>;

type Scene = Pick<PageInput<ScreenshotOptions>, 'page' | 'options' | 'deviceType'>;

/** Takes the picture without the pieces for models. */
export const takePicture = async (scene: Scene): Promise<Picture> => (await takeWhole(scene)).picture;

async function takeWhole({ page, options, deviceType }: Scene) {
  const maxHeight = Math.min(options.maxPageHeightPx ?? MAX_HEIGHT_PX, MAX_HEIGHT_PX);
  const awaitFrames = await loadLazyContent(page, maxHeight, options.scrollBeforeCapture);
  const capture = (clip: Clip) => awaitFrames(captureClip(page, clip));
  const size = await page.evaluate(measurePage);
  const width = Math.min(size.width, MAX_HEIGHT_PX);
  const height = Math.min(size.height, maxHeight);
  const bytes = await capture({ x: 0, y: 0, width, height });
  const picture: Picture = { bytes, width, height, truncated: size.height > height, deviceType };
  return { picture, capture };
}

/** The full page as a picture. */
export const webPageScreenshot = pageStrategy({
  name: 'web-page-screenshot',
  timeoutMs: TIMEOUT_MS,
  options: screenshotOptions,
  choice: {
    shows: 'a picture of the whole page',
    locates: 'nothing',
    askedBy:
      /\b(screenshots?|visual\w*|visible|layouts?|align\w*|overlap\w*|responsive|mobile|logos?|images?|pictures?|photos?|icons?|design\w*|banners?|spacing|margins?|padding|fonts?|colou?rs?|brand\w*|look|looks|appear\w*|hero|above the fold|blurr\w+|pixelated|readab\w+|contrast)\b/i,
    rank: 40,
  },

  view: (options, deviceType) => ({
    deviceType: options.deviceType ?? deviceType,
    waitUntil: browserWait(options.waitUntil, 'load'),
  }),

  async gather(input): Promise<Screenshot> {
    const { picture, capture } = await takeWhole(input);
    const { bytes, width, height } = picture;
    const pieces: Uint8Array[] = [];
    if (height <= PIECE_HEIGHT_PX) pieces.push(bytes);
    for (let y = 0; y < height && height > PIECE_HEIGHT_PX; y += PIECE_HEIGHT_PX) {
      const piece = { x: 0, y, width, height: Math.min(PIECE_HEIGHT_PX, height - y) };
      pieces.push(await capture(piece));
    }
    return { ...picture, pieces };
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

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

const captureClip = (page: Page, clip: Clip): Promise<Uint8Array> =>
  page.screenshot({
    type: 'png',
    fullPage: true,
    clip,
    scale: 'css',
    animations: 'disabled',
    // The limit of the strategy ends the capture.
    timeout: 0,
  });

/** Runs in the page. */
function measurePage() {
  const { documentElement: root, body } = document;
  return {
    width: Math.max(root.clientWidth, 1),
    height: Math.max(root.scrollHeight, body?.scrollHeight ?? 0, root.clientHeight, 1),
  };
}
