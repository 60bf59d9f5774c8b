import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { AwaitFrames } from './load-lazy-content.ts';

/** Largest part of a page that is captured, in CSS px. */
export const MAX_CAPTURE_HEIGHT_PX = 16_384;
const MAX_WIDTH_PX = 4096;
/** Largest side of a tile in pixels of the picture. */
const MAX_TILE_PX = 4096;
const MAX_SCALE = 2;
const MAX_BYTES = 16 * 2 ** 20;
const QUALITY = 75;
/** Time limit of all tiles; those that are finished by then are kept. */
const CAPTURE_MS = 30_000;

/** A part of a page as a WebP picture; its place is in CSS px from the top left of the document. */
export interface CapturedTile {
  bytes: Uint8Array;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface CapturedPage {
  /** From top to bottom, without gaps. */
  tiles: CapturedTile[];
  /** Size of the viewport of the load, in CSS px. */
  viewport: { width: number; height: number };
  /** Pixels of the picture for each CSS px. */
  scale: number;
  /** Size of the captured part of the page, in CSS px. */
  width: number;
  height: number;
  /** True if the page goes on below the captured part. */
  truncated: boolean;
}

/**
 * Captures a page as it is, without a scroll or a further load, so that the positions of its elements are those in the
 * picture. Pages beyond the limits of size and time are captured down to a part.
 */
export async function captureTiles(page: Page, awaitFrames: AwaitFrames): Promise<CapturedPage> {
  const size = await page.evaluate(measure);
  const scale = Math.min(size.deviceScale, MAX_SCALE);
  const width = Math.min(size.width, MAX_WIDTH_PX);
  const wholeHeight = Math.min(size.height, MAX_CAPTURE_HEIGHT_PX);
  const tileHeight = Math.floor(MAX_TILE_PX / scale);
  const session = await page.context().newCDPSession(page);
  const stop = new AbortController();
  const timeUp = sleep(CAPTURE_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  const tiles: CapturedTile[] = [];
  let height = 0;
  let bytesLeft = MAX_BYTES;
  try {
    await emulateAgain(page, session, size.deviceScale);
    while (height < wholeHeight) {
      const area = { x: 0, y: height, width, height: Math.min(tileHeight, wholeHeight - height) };
      const capturing = awaitFrames(captureTile(session, area, scale / size.deviceScale));
      // A capture that outlives its time limit fails when the page closes.
      capturing.catch(() => {});
      const bytes = await Promise.race([capturing, timeUp]);
      if (!bytes || bytes.byteLength > bytesLeft) break;
      bytesLeft -= bytes.byteLength;
      height += area.height;
      tiles.push({ bytes, ...area });
    }
  } finally {
    stop.abort();
    session.detach().catch(() => {});
  }
  return { tiles, viewport: size.viewport, scale, width, height, truncated: height < size.height };
}

/** A capture lays the page out by the emulation of its own session, which is none in a new session. */
async function emulateAgain(page: Page, session: CDPSession, deviceScaleFactor: number): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const mobile = await page.evaluate(() => navigator.maxTouchPoints > 0);
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile });
}

async function captureTile(
  session: CDPSession,
  area: Omit<CapturedTile, 'bytes'>,
  scale: number,
): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: { ...area, scale },
    captureBeyondViewport: true,
  });
  return Buffer.from(data, 'base64');
}

/** Runs in the page. */
function measure() {
  const { documentElement: root, body } = document;
  return {
    width: Math.max(root.scrollWidth, root.clientWidth, 1),
    height: Math.max(root.scrollHeight, body?.scrollHeight ?? 0, root.clientHeight, 1),
    viewport: { width: innerWidth, height: innerHeight },
    deviceScale: devicePixelRatio,
  };
}
