import type { Sharp } from 'sharp';
import { ApiError, failedPrecondition, unavailable } from '../lib/errors.ts';
import { FairTurns } from '../lib/threads/fair-turns.ts';
import { pictureSize } from './picture-size.ts';

/** An area of a picture, in pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of a stored WebP picture. */
export interface CutPart {
  load(): Promise<Uint8Array>;
  /** The part, as shares of the width and height of the whole picture. */
  share: Box;
}

export interface CutLayout {
  width: number;
  height: number;
  box?: Box | undefined;
}

interface CutOptions {
  /** The API key. */
  owner: string;
  outline: boolean;
  maxBytes: number;
  /** The default except in tests. */
  waitMs?: number;
}

interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/** Pixels of a part that is decoded; a tile of a screenshot has at most 8,192 × 4,096. */
const MAX_PART_PIXELS = 8_192 * 4_096;
/** Qualities of WebP, the best first. */
const QUALITIES = [80, 55, 35];
/** A lower quality saves less than this factor. */
const MOST_SAVED = 3;
/** Limit of one step of the work, in seconds. */
const STEP_SECONDS = 15;
/** Limit of the wait for a turn. */
const WAIT_MS = 15_000;
const CHANNELS = 3;
const WHITE = Buffer.from([255, 255, 255]);
const RED = Buffer.from([224, 30, 55]);
/** Width of the outline, and of the white line on each side of the red one. */
const OUTLINE_PX = 4;
const HALO_PX = 1;

/** One picture at a time, since the largest needs 300 MB. API keys take turns. */
const turns = new FairTurns({ capacity: 1, perOwner: 1 });

let loading: Promise<typeof import('sharp').default> | undefined;

/** Loads sharp with the first picture, as it takes memory, and lets it read WebP alone. */
function loadSharp(): Promise<typeof import('sharp').default> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      sharp.concurrency(1);
      sharp.cache(false);
      sharp.block({ operation: ['VipsForeignLoad'] });
      sharp.unblock({ operation: ['VipsForeignLoadWebpBuffer'] });
      return sharp;
    },
    (cause) => {
      loading = undefined;
      throw unavailable(
        'This service cannot make pictures: the packages of sharp for this platform are not installed.',
        cause,
      );
    },
  );
  return loading;
}

/**
 * Joins parts of pictures from top to bottom, scales them to a layout, outlines its box, and returns the result as WebP. It
 * takes the first of the layouts, each smaller than the one before, in which the result has at most `maxBytes`. Throws
 * FAILED_PRECONDITION if a part cannot be read, and UNAVAILABLE if that takes too long.
 *
 * It belongs to no outside service: sharp decodes in the threads of this process.
 */
export async function cutPicture<L extends CutLayout>(
  parts: readonly CutPart[],
  layouts: readonly L[],
  { owner, outline, maxBytes, waitMs = WAIT_MS }: CutOptions,
): Promise<{ bytes: Buffer; layout: L }> {
  const place = turns.take(owner, 1);
  const late = setTimeout(() => place.leave(busy()), waitMs);
  const turn = await place.turn.finally(() => clearTimeout(late));
  try {
    const whole = await joinParts(parts);
    for (const layout of layouts) {
      const scaled = await scale(whole, layout);
      if (outline && layout.box) drawOutline(scaled, layout.box);
      for (const quality of QUALITIES) {
        const bytes = await inTime((await sharpOf(scaled)).webp({ quality }).toBuffer());
        if (bytes.length <= maxBytes) return { bytes, layout };
        if (bytes.length > MOST_SAVED * maxBytes) break;
      }
    }
  } finally {
    turn.release();
  }
  throw failedPrecondition(`The picture does not fit into ${maxBytes} bytes.`);
}

const busy = () =>
  new ApiError('UNAVAILABLE', 'The service is busy with other pictures.', { retryAfterSeconds: 5 });

const unreadable = (cause?: unknown) =>
  new ApiError('FAILED_PRECONDITION', 'The stored screenshot is damaged and cannot be read.', { cause });

/** The result of sharp; its timeout is UNAVAILABLE. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (/^timeout:/.test((error as Error).message))
      throw unavailable(`A picture took more than ${STEP_SECONDS} s.`, error);
    throw error;
  }
}

async function joinParts(parts: readonly CutPart[]): Promise<Pixels> {
  const pixels: Pixels[] = [];
  for (const part of parts) pixels.push(await decode(part));
  const [first, ...others] = pixels;
  if (!first || others.some(({ width }) => width !== first.width)) throw unreadable();
  if (others.length === 0) return first;
  return {
    data: Buffer.concat(pixels.map(({ data }) => data)),
    width: first.width,
    height: pixels.reduce((sum, { height }) => sum + height, 0),
  };
}

async function decode({ load, share }: CutPart): Promise<Pixels> {
  const bytes = await load();
  const size = pictureSize('image/webp', bytes);
  if (!size || size.width * size.height > MAX_PART_PIXELS) throw unreadable();
  const [left, top] = [
    Math.min(size.width - 1, Math.round(share.x * size.width)),
    Math.min(size.height - 1, Math.round(share.y * size.height)),
  ];
  const region = {
    left,
    top,
    width: Math.max(1, Math.min(size.width, Math.round((share.x + share.width) * size.width)) - left),
    height: Math.max(1, Math.min(size.height, Math.round((share.y + share.height) * size.height)) - top),
  };
  const sharp = await loadSharp();
  const reading = sharp(bytes, { limitInputPixels: MAX_PART_PIXELS, failOn: 'error' })
    .timeout({ seconds: STEP_SECONDS })
    .extract(region)
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  try {
    const { data, info } = await inTime(reading);
    return { data, width: info.width, height: info.height };
  } catch (error) {
    throw error instanceof ApiError ? error : unreadable(error);
  }
}

const sharpOf = async ({ data, width, height }: Pixels): Promise<Sharp> =>
  (await loadSharp())(data, {
    raw: { width, height, channels: CHANNELS },
    limitInputPixels: MAX_PART_PIXELS,
  }).timeout({ seconds: STEP_SECONDS });

/** A scaled copy. */
async function scale(pixels: Pixels, { width, height }: CutLayout): Promise<Pixels> {
  const scaling = (await sharpOf(pixels)).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { data: await inTime(scaling), width, height };
}

/** Draws a red line between two white ones around a box, so that it shows on any page. */
function drawOutline(pixels: Pixels, box: Box): void {
  // At the edge of the picture, the lines are on the box.
  const outer = {
    left: Math.max(0, box.x - OUTLINE_PX),
    top: Math.max(0, box.y - OUTLINE_PX),
    right: Math.min(pixels.width, box.x + box.width + OUTLINE_PX),
    bottom: Math.min(pixels.height, box.y + box.height + OUTLINE_PX),
  };
  drawFrame(pixels, outer, OUTLINE_PX, WHITE);
  const red = {
    left: outer.left + HALO_PX,
    top: outer.top + HALO_PX,
    right: outer.right - HALO_PX,
    bottom: outer.bottom - HALO_PX,
  };
  drawFrame(pixels, red, OUTLINE_PX - 2 * HALO_PX, RED);
}

function drawFrame(
  { data, width }: Pixels,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
  thickness: number,
  color: Buffer,
): void {
  const fill = (y: number, from: number, to: number) => {
    if (to > from) data.fill(color, (y * width + from) * CHANNELS, (y * width + to) * CHANNELS);
  };
  for (let y = top; y < bottom; y++) {
    if (y < top + thickness || y >= bottom - thickness) fill(y, left, right);
    else {
      fill(y, left, Math.min(left + thickness, right));
      fill(y, Math.max(right - thickness, left), right);
    }
  }
}
