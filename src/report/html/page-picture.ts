import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { ReportFinding } from '../report.ts';
import { html, type Markup, trusted } from './markup.ts';
import type { PictureOfPage } from './picture-pins.ts';
import { type PinPlace, pinWidth } from './pin-places.ts';
import { filterClasses, type ReportView } from './report-view.ts';
import { SEVERITY_NAMES, splitAddress } from './report-words.ts';

/** The picture of a page with its pins. On narrow screens it is folded. */
export function printPicture(view: ReportView, url: string, picture: PictureOfPage): Markup {
  const { screenshot, tiles, pins } = picture;
  const { path, host } = splitAddress(url);
  const name = `Picture of ${host}${path}`;
  const { width, height, deviceType } = screenshot;
  return html`<details class="picture ${deviceType}"><summary>Picture of the page</summary>
<div class="frame" role="region" aria-label="${name}" tabindex="0">
<div class="canvas" style="aspect-ratio:${round(width)}/${round(height)};--high:${round((height / width) * 100)};--wide:${round(width)}px">
${tiles.map(({ tile, bytes }, at) => printTile(tile, bytes, screenshot, at === 0 ? name : ''))}
${pins.map((pin) => printPin(view, pin.finding, pin.place, screenshot))}
</div></div>
${screenshot.truncated && html`<p class="note">The page goes on below the captured part.</p>`}</details>`;
}

function printTile(
  { x, y, width, height }: PageScreenshot['tiles'][number],
  bytes: Uint8Array,
  picture: PageScreenshot,
  alternative: string,
): Markup {
  const style = `left:${part(x, picture.width)}%;top:${part(y, picture.height)}%;width:${part(width, picture.width)}%;height:${part(height, picture.height)}%`;
  const data = trusted(Buffer.from(bytes).toString('base64'));
  return html`<img src="data:image/webp;base64,${data}" alt="${alternative}" style="${style}" decoding="async">`;
}

/** A link to the finding, whose pseudo-element outlines the marked element. */
function printPin(
  view: ReportView,
  finding: ReportFinding,
  { x, y, box }: PinPlace,
  { width, height }: PageScreenshot,
): Markup {
  const { number, severity, title } = finding;
  const name = `Finding ${number}: ${title}`;
  const hint = `${number} · ${SEVERITY_NAMES[severity]}: ${title}`;
  // Lengths of the outline are in hundredths of the width of the picture.
  const across = (value: number) => part(value, width);
  const outline = `--dx:${across(box.x - x)};--dy:${across(box.y - y)};--w:${across(box.width)};--h:${across(box.height)}`;
  const style = `left:${part(x, width)}%;top:${part(y, height)}%;--y:${across(y)};${outline}`;
  return html`<a class="pin k-${severity} ${filterClasses(view, [finding])}" id="pin-${number}" href="#finding-${number}" aria-label="${name}" title="${hint}" style="${style};min-width:${pinWidth(number)}px">${number}</a>
`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
const part = (value: number, whole: number): number => round((value / whole) * 100);
