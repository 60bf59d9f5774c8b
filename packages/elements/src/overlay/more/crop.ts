import type { PageResult, PageScreenshot, Position, ScreenshotTile } from '@redpen/client';
import type { RawClient } from '@redpen/client/raw';
import type { Item } from '../items.ts';

/** The part of the picture of a page in which an element lies. */
export interface Crop {
  area: Position;
  element: Position;
  tiles: readonly ScreenshotTile[];
}

const MARGIN = 24;
const LEAST = { width: 400, height: 120 };
const MOST_HEIGHT = 300;
/** A run of many pages has many parts, of which the first ones are looked at. */
const MOST_PARTS = 5;

const within = (start: number, size: number, limit: number): number =>
  Math.max(0, Math.min(start, limit - size));

export function cropAround(element: Position, { width, height, tiles }: PageScreenshot): Crop | undefined {
  const { x, y } = element;
  if (x >= width || y >= height || x + element.width < 0 || y + element.height < 0) return undefined;
  const size = {
    width: Math.min(width, Math.max(LEAST.width, element.width + 2 * MARGIN)),
    height: Math.min(height, MOST_HEIGHT, Math.max(LEAST.height, element.height + 2 * MARGIN)),
  };
  // A tall element is shown from its top.
  const top = Math.max(MARGIN, (size.height - element.height) / 2);
  const area = {
    ...size,
    x: within(x + element.width / 2 - size.width / 2, size.width, width),
    y: within(y - top, size.height, height),
  };
  const isInside = ({ url, ...tile }: ScreenshotTile) =>
    url !== undefined && tile.y < area.y + area.height && area.y < tile.y + tile.height;
  return { area, element, tiles: tiles.filter(isInside) };
}

/** The page of a run with a finding of it; a run has the same ids of findings on each of its pages. */
async function pageOf(client: RawClient, executionId: string, url: string): Promise<PageResult | undefined> {
  let pageToken: string | undefined;
  for (let part = 0; part < MOST_PARTS; part++) {
    const data = { executionId, includeResults: true, ...(pageToken !== undefined && { pageToken }) };
    const answer = await client.call('/v2/agents/execution/get', data);
    const found = answer.results?.find((page) => withoutHash(page.url) === withoutHash(url));
    pageToken = answer.nextPageToken;
    if (found || pageToken === undefined) return found;
  }
  return undefined;
}

const withoutHash = (url: string): string => url.replace(/#.*$/, '');

/** How the place of a finding looked when an agent saw it; undefined if the run has kept no picture of it. */
export async function cropOf(client: RawClient, { thread: { agent } }: Item): Promise<Crop | undefined> {
  const { executionId, url, reason } = agent ?? {};
  const findingId = reason?.findingId;
  if (!executionId || typeof url !== 'string' || !findingId) return undefined;
  const page = await pageOf(client, executionId, url);
  const finding = page?.findings.find(({ id }) => id === findingId);
  if (!page?.screenshot || !finding?.position || finding.outsideScreenshot) return undefined;
  return cropAround(finding.position, page.screenshot);
}
