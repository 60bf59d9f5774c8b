import { afterAll, afterEach, expect, test } from 'vitest';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { cleanUp, serve } from '../../outside/net/testing-servers.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { readAndHold } from '../gather/held-page.ts';
import { lookAtPage, type PageToLookAt, type Wanted } from './look-at-page.ts';
import { pinView } from './pin-resolution.ts';

const box = (id: string, top: number, color: string) =>
  `<div id="${id}" style="position:absolute;left:30px;top:${top}px;width:200px;height:50px;background:${color}"></div>`;
const html = `<!doctype html><style>body{margin:0;height:5000px}header{position:sticky;top:0;height:100vh}</style>
<header></header>${box('red', 900, '#f00')}${box('blue', 4700, '#00f')}<div id="off" style="position:absolute;left:-900px">x</div>
<script>document.body.append(location.pathname)</script>`;

const browser: Browser = createBrowser({
  chromePath: process.env.CHROME_PATH,
  guard: createGuard({ allowHosts: ['127.0.0.1'] }),
  log: () => {},
  maxPages: 2,
});

afterEach(cleanUp);
afterAll(() => browser.close());

async function site() {
  let loads = 0;
  const { url } = await serve((request, response) => {
    if (request.url === '/') loads += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  return { url: `${url}/`, loads: () => loads };
}

const finding = (htmlSelector: string, more: Partial<Finding> = {}): Finding => ({
  id: 'finding-1',
  title: 't',
  description: 'd',
  severity: 'low',
  targetText: '',
  occurrence: 1,
  sourceUrl: '',
  suggestion: '',
  htmlSelector,
  targetElementXpath: '',
  isPageLevel: false,
  issueType: 'x',
  findingType: 'pin',
  confidence: 100,
  source: 'instructions',
  ...more,
});

async function hold(url: string, signal = new AbortController().signal) {
  const options = { signal, timeoutMs: 60_000 };
  const [held] = await readAndHold(browser, url, pinView('desktop'), options, async () => 1);
  return held!;
}

async function look(
  findings: Finding[],
  page: Partial<PageToLookAt> & { url: string },
  wanted: Partial<Wanted> = {},
) {
  const lines: LogLine[] = [];
  const files: { name: string; mimeType: string; bytes: Uint8Array }[] = [];
  const result = await lookAtPage(
    findings,
    { deviceType: 'desktop', browser, ...page },
    { positions: true, screenshots: 'findings', checksSelectors: false, ...wanted },
    {
      log: (line) => lines.push(line),
      signal: new AbortController().signal,
      once: (_key, make) => make(),
      storeArtifact: async (file) => `file_${files.push(file)}`,
    },
  );
  return { ...result, files, lines: lines.map(({ message }) => message) };
}

/** The average color of a box of the page in the pictures of its screenshot. */
async function colorIn(
  { findings, screenshot, files }: Awaited<ReturnType<typeof look>>,
  index: number,
): Promise<number[]> {
  const { x, y, width, height } = findings[index]!.position!;
  const { tiles, scale } = screenshot!;
  const at = tiles.findIndex((tile) => y >= tile.y && y + height <= tile.y + tile.height);
  const tile = tiles[at]!;
  const picture = `data:image/webp;base64,${Buffer.from(files[at]!.bytes).toString('base64')}`;
  const area = [(x - tile.x) * scale, (y - tile.y) * scale, width * scale, height * scale] as const;
  const { url } = await site();
  return browser.withPage(url, pinView('desktop'), {}, ({ page }) =>
    page.evaluate(
      async ({ picture, area: [left, top, wide, high] }) => {
        const image = new Image();
        image.src = picture;
        await image.decode();
        const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
        canvas.drawImage(image, left, top, wide, high, 0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
      },
      { picture, area },
    ),
  );
}

test.each(['desktop', 'mobile'] as const)(
  'the positions of findings are those in the tiles of the screenshot (%s)',
  async (deviceType) => {
    const { url } = await site();
    const seen = await look([finding('#red'), finding('#blue'), finding('#off')], { url, deviceType });
    expect(seen.screenshot).toMatchObject({
      deviceType,
      mimeType: 'image/webp',
      height: 5000,
      truncated: false,
    });
    expect(seen.files.map(({ name }) => name)).toEqual(
      seen.screenshot!.tiles.map((_, index) => `screenshot-${index + 1}.webp`),
    );
    expect(seen.screenshot!.tiles.length).toBeGreaterThan(1);
    for (const [index, [red, blue]] of [
      [0, [255, 0]],
      [1, [0, 255]],
    ] as const) {
      const [r, , b] = await colorIn(seen, index);
      expect(Math.abs(r! - red)).toBeLessThan(12);
      expect(Math.abs(b! - blue)).toBeLessThan(12);
    }
    expect(seen.findings.map(({ outsideScreenshot }) => outsideScreenshot)).toEqual([
      undefined,
      undefined,
      true,
    ]);
  },
);

test('a held page is not loaded again, and closed afterwards', async () => {
  const { url, loads } = await site();
  const held = await hold(url);
  const { findings, screenshot } = await look([finding('#red')], { url, held });
  expect(findings[0]!.position).toEqual({ x: 30, y: 900, width: 200, height: 50 });
  expect(screenshot).toBeDefined();
  expect(loads()).toBe(1);
});

test('a held page that has gone is loaded again', async () => {
  const { url, loads } = await site();
  const stop = new AbortController();
  const held = await hold(url, stop.signal);
  stop.abort();
  const { findings, lines } = await look([finding('#red')], { url, held });
  expect(findings[0]!.position).toMatchObject({ y: 900 });
  expect(lines).toEqual([expect.stringMatching(/is loaded again: /)]);
  expect(loads()).toBe(2);
});

test('no page is opened if nothing is asked of it', async () => {
  const { url, loads } = await site();
  const none = await look([finding('#red')], { url }, { positions: false, screenshots: 'none' });
  const noFindings = await look([], { url });
  expect([none.files, noFindings.files]).toEqual([[], []]);
  expect(loads()).toBe(0);
  const all = await look([], { url }, { screenshots: 'all' });
  expect(all.files.length).toBeGreaterThan(0);
});

test('selectors of a model that match nothing are dropped with a line in the log', async () => {
  const { url } = await site();
  const invented = finding('#red > .invented', { targetElementXpath: '//nav' });
  const { findings, lines } = await look(
    [invented, finding('p[['), finding('#blue')],
    { url },
    { checksSelectors: true },
  );
  expect(findings.map(({ htmlSelector, targetElementXpath }) => htmlSelector + targetElementXpath)).toEqual([
    '',
    '',
    '#blue',
  ]);
  expect(lines).toEqual([expect.stringContaining('#red > .invented and 2 more match nothing')]);
  const ofRules = await look([invented], { url });
  expect(ofRules.findings[0]!.htmlSelector).toBe('#red > .invented');
});
