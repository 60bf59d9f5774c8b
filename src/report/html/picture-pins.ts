import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { Pictures, ReportFinding, ReportPage } from '../report.ts';
import { type Box, type PinPlace, placePins, withinPicture } from './pin-places.ts';

/** A page's picture and the findings that it shows. */
export interface PictureOfPage {
  screenshot: PageScreenshot;
  tiles: readonly { tile: PageScreenshot['tiles'][number]; bytes: Uint8Array }[];
  pins: readonly { finding: ReportFinding; place: PinPlace }[];
}

/** Widths on the screen for which pins are kept apart; the style sheet shows no picture narrower. */
const SHOWN_WIDTH = { desktop: 600, mobile: 340 } as const;

/** The picture of a page, unless it has none or a part of it is missing. */
export function pictureOf(
  { screenshot }: ReportPage,
  findings: readonly ReportFinding[],
  pictures: Pictures,
): PictureOfPage | undefined {
  if (!screenshot || !(screenshot.width > 0 && screenshot.height > 0)) return undefined;
  const tiles = screenshot.tiles.flatMap((tile) => {
    const bytes = pictures.get(tile.artifactId);
    return bytes ? [{ tile, bytes }] : [];
  });
  if (tiles.length === 0 || tiles.length < screenshot.tiles.length) return undefined;
  const visible = findings
    .flatMap((finding) => {
      const box = boxOf(finding, screenshot);
      return box ? [{ number: finding.number, finding, box }] : [];
    })
    // From top to bottom, as a reader tabs through them.
    .sort((one, other) => one.box.y - other.box.y || one.box.x - other.box.x || one.number - other.number);
  const scale = Math.max(1, screenshot.width / SHOWN_WIDTH[screenshot.deviceType]);
  const places = placePins(visible, screenshot, scale);
  return {
    screenshot,
    tiles,
    pins: visible.map(({ finding, number }) => ({ finding, place: places.get(number)! })),
  };
}

const boxOf = (
  { position, outsideScreenshot }: ReportFinding,
  screenshot: PageScreenshot,
): Box | undefined =>
  position && outsideScreenshot !== true ? withinPicture(position, screenshot) : undefined;
