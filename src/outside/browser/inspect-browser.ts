import { createGuard } from '../net/ssrf-guard.ts';
import { createSandbox } from './chromium-sandbox.ts';
import { findChromium } from './find-chromium.ts';
import { launchBrowser } from './launch-browser.ts';

/** Writing systems, each with characters that only fonts for it contain. */
const SCRIPTS: Record<string, readonly number[]> = {
  Latin: [0x41, 0x67],
  Chinese: [0x4e2d, 0x8a9e],
  Japanese: [0x3042, 0x30ab],
  Korean: [0xd55c, 0xae00],
  emoji: [0x1f600, 0x1f680],
};
/** Code points that are never characters; a browser draws them like any character without a font. */
const NO_CHARACTERS = [0x10_ffff, 0xf_fffe, 0x378];

export interface BrowserReport {
  path: string;
  isBundled: boolean;
  version: string;
  hasSandbox: boolean;
  /** Time from the start of the process until it can open pages. */
  startedInMs: number;
  /** Time in which the characters were drawn and compared. */
  drawnInMs: number;
  /** Writing systems drawn as boxes, or not at all. */
  undrawn: string[];
}

interface Options {
  chromePath?: string | undefined;
  /** REDPEN_BROWSER_SANDBOX. */
  sandbox: 'on' | 'off';
  signal: AbortSignal;
}

/** Starts a browser as a review does, draws a few characters, and ends it. Throws as `launchBrowser` does. */
export async function inspectBrowser({
  chromePath,
  sandbox: setting,
  signal,
}: Options): Promise<BrowserReport> {
  const found = await findChromium(chromePath === undefined ? {} : { chromePath });
  const sandbox = createSandbox({ setting });
  const began = performance.now();
  const launched = await launchBrowser({
    chromePath,
    sandbox,
    guard: createGuard({ allowHosts: [] }),
    log: () => {},
  });
  signal.addEventListener('abort', launched.kill, { once: true });
  try {
    signal.throwIfAborted();
    const startedInMs = performance.now() - began;
    const page = await launched.browser.newPage();
    const drawingFrom = performance.now();
    const undrawn = await page.evaluate(findUndrawn, { scripts: SCRIPTS, noCharacters: NO_CHARACTERS });
    return {
      path: found.path,
      isBundled: found.env.FONTCONFIG_FILE !== undefined,
      version: launched.browser.version(),
      hasSandbox: sandbox.isOn,
      startedInMs,
      drawnInMs: performance.now() - drawingFrom,
      undrawn,
    };
  } finally {
    signal.removeEventListener('abort', launched.kill);
    await launched.end();
  }
}

/** Runs in the page: finds characters that are drawn like one without a font. */
function findUndrawn({
  scripts,
  noCharacters,
}: {
  scripts: Record<string, readonly number[]>;
  noCharacters: readonly number[];
}): string[] {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const draw = (code: number): string => {
    context.clearRect(0, 0, 64, 64);
    context.font = '40px sans-serif';
    context.textBaseline = 'top';
    context.fillText(String.fromCodePoint(code), 4, 4);
    return context.getImageData(0, 0, 64, 64).data.join();
  };
  context.clearRect(0, 0, 64, 64);
  const empty = context.getImageData(0, 0, 64, 64).data.join();
  const boxes = new Set([empty, ...noCharacters.map(draw)]);
  return Object.keys(scripts).filter((name) => scripts[name]!.some((code) => boxes.has(draw(code))));
}
