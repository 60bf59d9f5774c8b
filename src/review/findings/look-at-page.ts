import type { Browser, LoadedPage } from '../../outside/browser/browser.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { DeviceType, ScreenshotChoice } from '../../shapes/agents/run.ts';
import type { PageContext } from '../core/execution-strategy.ts';
import type { HeldPage } from '../gather/held-page.ts';
import { type CapturedPage, captureTiles, MAX_CAPTURE_HEIGHT_PX } from '../gather/reading/capture-tiles.ts';
import { loadLazyContent } from '../gather/reading/load-lazy-content.ts';
import { namesElement, needsPin, pinView, resolvePins, withoutDeadSelectors } from './pin-resolution.ts';

/** Bytes that the screenshots of a run may take together. */
const MAX_RUN_BYTES = 256 * 2 ** 20;

export interface PageToLookAt {
  url: string;
  deviceType: DeviceType;
  browser: Browser;
  /** The page as it was gathered, if it is still open; otherwise it is loaded again. */
  held?: HeldPage | undefined;
}

export interface Wanted {
  positions: boolean;
  screenshots: ScreenshotChoice;
  /** True if selectors may be invented, since a model named them. */
  checksSelectors: boolean;
}

/** Pictures of loads that several runs share: the content of the page is in place after the first. */
const pictures = new WeakMap<LoadedPage, CapturedPage>();

type LookContext = Pick<PageContext, 'log' | 'signal' | 'once' | 'storeArtifact'>;

interface Looked {
  findings: Finding[];
  dropped: string[];
  captured?: CapturedPage | undefined;
}

/**
 * Adds positions to findings and takes a screenshot of the same load, so that both agree. A failure is only logged, since
 * findings are useful without either.
 */
export async function lookAtPage(
  findings: Finding[],
  page: PageToLookAt,
  { positions, screenshots, checksSelectors }: Wanted,
  context: LookContext,
): Promise<{ findings: Finding[]; screenshot?: PageScreenshot | undefined }> {
  const { url } = page;
  const room = context.once('room for screenshots', () => ({ bytes: MAX_RUN_BYTES }));
  const isAsked = screenshots === 'all' || (screenshots === 'findings' && findings.length > 0);
  const takesPicture = isAsked && room.bytes > 0;
  const locates =
    positions && findings.some((one) => needsPin(one) || (checksSelectors && namesElement(one)));
  if (!takesPicture && !locates) {
    await page.held?.release();
    return { findings };
  }
  const warn = (what: string, { message }: Error) => {
    context.signal.throwIfAborted();
    context.log({ level: 'warn', message: `${what} ${url} could not be determined: ${message}` });
  };
  const look = async (loaded: LoadedPage): Promise<Looked> => {
    const { page: open } = loaded;
    const earlier = pictures.get(loaded);
    const awaitFrames =
      takesPicture && !earlier && (await loadLazyContent(open, MAX_CAPTURE_HEIGHT_PX, true));
    const alive = locates && checksSelectors ? await withoutDeadSelectors(findings, open) : undefined;
    const located = locates ? await resolvePins(alive?.findings ?? findings, open) : findings;
    const captured = awaitFrames
      ? await captureTiles(open, awaitFrames).catch((error) => warn('The picture of', error))
      : takesPicture
        ? earlier
        : undefined;
    if (captured) pictures.set(loaded, captured);
    return { findings: located, dropped: alive?.dropped ?? [], ...(captured && { captured }) };
  };
  const looked = await onPage(page, look, context).catch((error) =>
    warn(locates ? 'The positions of findings on' : 'The picture of', error),
  );
  if (!looked) return { findings };
  reportDropped(looked.dropped, url, context);
  const { captured } = looked;
  if (!captured) return { findings: looked.findings };
  room.bytes -= captured.tiles.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (room.bytes <= 0)
    context.log({
      level: 'warn',
      message: `Further pages get no screenshot, since those of this run take ${MAX_RUN_BYTES / 2 ** 20} MB.`,
    });
  const screenshot = await store(captured, page, context).catch((error) => warn('The picture of', error));
  if (!screenshot) return { findings: looked.findings };
  return { findings: looked.findings.map((finding) => markOutside(finding, captured)), screenshot };
}

/** Looks at the held page, or at a new load if it has gone or was not held. */
async function onPage<T>(
  { url, deviceType, browser, held }: PageToLookAt,
  look: (loaded: LoadedPage) => Promise<T>,
  { signal, log }: LookContext,
): Promise<T> {
  try {
    if (held) return await held.use(look);
  } catch (error) {
    signal.throwIfAborted();
    const message = `${url} is loaded again: ${(error as Error).message}`;
    log({ level: 'info', message, data: { url } });
  }
  return await browser.withPage(url, pinView(deviceType), { signal }, look);
}

function reportDropped(selectors: string[], url: string, { log }: LookContext): void {
  if (selectors.length === 0) return;
  const [first] = selectors;
  const more = selectors.length > 1 ? ` and ${selectors.length - 1} more` : '';
  log({
    level: 'warn',
    message: `${url}: ${first}${more} match nothing on the page, so findings name no element there.`,
    data: { url, selectors: selectors.slice(0, 20) },
  });
}

async function store(
  { tiles, ...picture }: CapturedPage,
  { deviceType }: PageToLookAt,
  { storeArtifact }: LookContext,
): Promise<PageScreenshot | undefined> {
  if (tiles.length === 0) return undefined;
  const stored: PageScreenshot['tiles'] = [];
  for (const [index, { bytes, ...area }] of tiles.entries()) {
    const name = `screenshot-${index + 1}.webp`;
    const artifactId = await storeArtifact({ name, mimeType: 'image/webp', bytes });
    stored.push({ artifactId, ...area });
  }
  return { deviceType, mimeType: 'image/webp', ...picture, tiles: stored };
}

/** Marks a finding whose position is not within the captured part of the page. */
function markOutside(finding: Finding, { width, height }: CapturedPage): Finding {
  const { position } = finding;
  if (!position) return finding;
  const isInside =
    position.x < width &&
    position.y < height &&
    position.x + position.width > 0 &&
    position.y + position.height > 0;
  return isInside ? finding : { ...finding, outsideScreenshot: true };
}
