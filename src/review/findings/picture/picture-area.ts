import type { Finding } from '../../../shapes/agents/execution.ts';
import type { PageScreenshot } from '../../../shapes/agents/execution-record.ts';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Largest side of a picture, in pixels. */
export const MAX_PICTURE_PX = 1_024;
/** Largest side of the part of a page that a picture shows, in CSS px: text is still legible at half its size. */
const MAX_AREA_PX = 2 * MAX_PICTURE_PX;
/** The least that is shown around a small element, in CSS px. */
const MIN_AREA = { width: 640, height: 400 };
/** Width of the surroundings of a large element on each side, in CSS px. */
const MARGIN_PX = 48;
/** Factors by which a picture is made smaller until it has few enough bytes. */
const SHRINKS = [1, 0.7, 0.5, 0.35];

/** A part of a page. All areas are in CSS px from the top left of the document. */
export interface Shown {
  area: Area;
  /** The part of the element that is within the area. */
  element?: Area | undefined;
}

/** A picture of an area, in pixels. */
export interface Layout {
  width: number;
  height: number;
  /** Pixels for each CSS px. */
  scale: number;
  /** The element in the picture. */
  box?: Area | undefined;
}

/** A part of a tile, as shares of the width and height of the tile. */
export interface TilePart {
  artifactId: string;
  share: Area;
}

type Captured = Pick<PageScreenshot, 'width' | 'height' | 'viewport'>;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

const overlap = (one: Area, other: Area): Area | undefined => {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
};

/** The range of one axis that shows an element and some of what is around it, in whole CSS px. */
function rangeAround(
  start: number,
  size: number,
  least: number,
  limit: number,
): [from: number, size: number] {
  const whole = Math.max(least, size + 2 * MARGIN_PX);
  const shown = Math.min(Math.ceil(whole), MAX_AREA_PX, limit);
  // A large element is shown from its beginning.
  const from = whole > shown ? start - MARGIN_PX : start + size / 2 - shown / 2;
  return [clamp(Math.floor(from), 0, limit - shown), shown];
}

/**
 * The part of a captured page that shows a finding: the surroundings of its element, or the top of the page if it has none,
 * is about the whole page, or is outside of the captured part.
 */
export function shownOf(
  {
    position,
    isPageLevel,
    outsideScreenshot,
  }: Pick<Finding, 'position' | 'isPageLevel' | 'outsideScreenshot'>,
  { viewport, ...captured }: Captured,
): Shown {
  const page = { x: 0, y: 0, width: Math.floor(captured.width), height: Math.floor(captured.height) };
  // An empty element has a place all the same.
  const element = position && {
    ...position,
    width: Math.max(1, position.width),
    height: Math.max(1, position.height),
  };
  const inPage = element && !isPageLevel && !outsideScreenshot ? overlap(element, page) : undefined;
  if (!inPage) {
    const width = clamp(Math.round(viewport.width), 1, Math.min(page.width, MAX_AREA_PX));
    const height = clamp(Math.round(viewport.height), 1, Math.min(page.height, MAX_AREA_PX));
    return { area: { x: 0, y: 0, width, height } };
  }
  const [x, width] = rangeAround(inPage.x, inPage.width, MIN_AREA.width, page.width);
  const [y, height] = rangeAround(inPage.y, inPage.height, MIN_AREA.height, page.height);
  const area = { x, y, width, height };
  return { area, element: overlap(inPage, area) };
}

/** The layouts of a picture, the largest first; none has more pixels than the screenshot. */
export function layoutsOf({ area, element }: Shown, screenshotScale: number): Layout[] {
  const largest = Math.min(screenshotScale, MAX_PICTURE_PX / area.width, MAX_PICTURE_PX / area.height);
  return SHRINKS.map((shrink) => {
    const scale = largest * shrink;
    const width = clamp(Math.round(area.width * scale), 1, MAX_PICTURE_PX);
    const height = clamp(Math.round(area.height * scale), 1, MAX_PICTURE_PX);
    return { width, height, scale, ...(element && { box: boxOf(element, area, { width, height, scale }) }) };
  });
}

/** The pixels that an element touches. */
function boxOf(element: Area, area: Area, { width, height, scale }: Omit<Layout, 'box'>): Area {
  const x = clamp(Math.floor((element.x - area.x) * scale), 0, width - 1);
  const y = clamp(Math.floor((element.y - area.y) * scale), 0, height - 1);
  return {
    x,
    y,
    width: clamp(Math.ceil((element.x + element.width - area.x) * scale), x + 1, width) - x,
    height: clamp(Math.ceil((element.y + element.height - area.y) * scale), y + 1, height) - y,
  };
}

/** The parts of the tiles that make up an area, from top to bottom. */
export const tilePartsOf = (area: Area, tiles: PageScreenshot['tiles']): TilePart[] =>
  tiles.flatMap(({ artifactId, ...tile }) => {
    const part = overlap(area, tile);
    if (!part) return [];
    const share = {
      x: (part.x - tile.x) / tile.width,
      y: (part.y - tile.y) / tile.height,
      width: part.width / tile.width,
      height: part.height / tile.height,
    };
    return [{ artifactId, share }];
  });
