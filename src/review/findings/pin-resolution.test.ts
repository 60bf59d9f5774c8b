import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { cleanUp, serve } from '../../outside/net/testing-servers.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import { pinView, resolvePins } from './pin-resolution.ts';

const html = `<!DOCTYPE html><style>
body { margin: 0; font: 16px/20px monospace } .box { position: absolute } h1 { text-transform: uppercase; margin: 0 }
</style>
<h1>big letters</h1><p style="margin:0;height:20px">one word and one <b style="font:inherit">wo</b>rd more</p><p style="margin:0">next
   line</p>
<h2 style="position:absolute;left:0;top:300px;margin:0">First Box</h2>
<div class="box" id="a" style="left:30px;top:1500px;width:200px;height:50px">first box</div>
<div class="box" style="left:40px;top:2000px;width:100px;height:60px">second box</div>
<div id="hidden" style="display:none">unseen words</div>
<span id="contents" style="display:contents"><i class="box" style="left:7px;top:100px;width:9px;height:9px"></i></span>
<x-card></x-card>
<script>document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML =
  '<button style="position:absolute;left:5px;top:700px;width:80px;height:30px;padding:0">inside</button>';
scrollTo(0, 400)</script>`;

let browser: Browser;
let url: string;

beforeAll(async () => {
  const guard = createGuard({ allowHosts: ['127.0.0.1'] });
  browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
  const site = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(html);
  });
  url = site.url;
});

afterAll(async () => {
  await browser.close();
  await cleanUp();
});

const finding = (fields: Partial<Finding>): Finding => ({
  id: 'finding-1',
  title: 't',
  description: 'd',
  severity: 'low',
  targetText: '',
  occurrence: 1,
  sourceUrl: url,
  suggestion: '',
  htmlSelector: '',
  targetElementXpath: '',
  isPageLevel: false,
  issueType: 'x',
  findingType: 'pin',
  confidence: 100,
  source: 'instructions',
  ...fields,
});

const pin = (findings: Partial<Finding>[]) =>
  browser.withPage(url, pinView('desktop'), {}, async ({ page }) => {
    const pinned = await resolvePins(findings.map(finding), page);
    return pinned.map(({ position }) => position);
  });

test('positions of elements count from the top left of the document, wherever the page is scrolled to', async () => {
  expect(
    await pin([
      { htmlSelector: '#a' },
      { targetElementXpath: '/html/body/div[2]' },
      { targetElementXpath: '//div[2]/text()' },
      { htmlSelector: '.box', targetText: 'second  box' },
      { htmlSelector: 'button' },
      { htmlSelector: '#contents' },
    ]),
  ).toEqual([
    { x: 30, y: 1500, width: 200, height: 50 },
    { x: 40, y: 2000, width: 100, height: 60 },
    { x: 40, y: 2000, width: 100, height: 60 },
    { x: 40, y: 2000, width: 100, height: 60 },
    { x: 5, y: 700, width: 80, height: 30 },
    { x: 7, y: 100, width: 9, height: 9 },
  ]);
});

test('quotes are located by their occurrence, across elements, line breaks and letter case', async () => {
  const words = (targetText: string, occurrence = 1) => ({
    targetText,
    occurrence,
    findingType: 'text' as const,
  });
  const [first, second, broken, shouted, inShadow] = await pin([
    words('word'),
    words('word', 2),
    words('next line'),
    words('BIG LETTERS'),
    words('inside'),
  ]);
  const top = first!.y;
  expect(second!.y).toBe(top);
  expect(second!.x).toBeGreaterThan(first!.x + first!.width);
  expect(second!.width).toBeCloseTo(first!.width, 0);
  expect(broken!.y).toBe(top + 20);
  expect(shouted!.y).toBeLessThan(top);
  expect(inShadow!.y).toBeGreaterThan(699);
});

test('the quote of a finding with a selector is located within the selected element first', async () => {
  const [place] = await pin([{ htmlSelector: '#a', targetText: 'box', findingType: 'text' }]);
  expect(place!.y).toBeGreaterThan(1490);
  expect(place!.x).toBeGreaterThan(30);
});

test('findings that are missing, hidden or have an invalid selector get no position', async () => {
  expect(
    await pin([
      { htmlSelector: 'p[[', targetElementXpath: '///' },
      { htmlSelector: '#absent', targetText: 'not on the page' },
      { htmlSelector: '#hidden' },
      { targetText: 'unseen words', findingType: 'text' },
      { htmlSelector: '#a', findingType: 'page' },
      { isPageLevel: true, targetText: 'first box' },
      {},
    ]),
  ).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, undefined]);
});

test('a known position is kept, and an invalid selector falls back on the quote', async () => {
  const position = { x: 1, y: 2, width: 3, height: 4 };
  const [kept, byWords] = await pin([
    { htmlSelector: '#a', position },
    { htmlSelector: 'div:has-text("first")', targetText: 'first box' },
  ]);
  expect(kept).toEqual(position);
  expect(byWords!.y).toBeGreaterThan(1490);
});

test('among equal words the letter case of the quote wins, before the order on the page and the selector', async () => {
  const [place, folded] = await pin([
    { targetText: 'first box', htmlSelector: 'h2', findingType: 'text' },
    { targetText: 'FIRST box', findingType: 'text' },
  ]);
  expect(place!.y).toBeGreaterThan(1490);
  expect(folded!.y).toBeLessThan(1490);
});
