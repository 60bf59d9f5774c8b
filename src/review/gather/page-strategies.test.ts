import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareFetchInput } from '../../../test/reviews/review-inputs.ts';
import type { Browser, View } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import type { PageLinks } from '../links/page/page-links.ts';
import { gatherAll } from './gather.ts';
import type { Screenshot } from './web-page-screenshot.ts';

const rich = (otherHost: string) => `<!DOCTYPE html><html lang="en"><head><title>Shop &amp; more</title>
<link rel="stylesheet" href="${otherHost}/far.css"><style>/* c */ .x { color: red }</style></head><body onload="void 0">
<!-- comment --><h1>Hello   world</h1><p>Some <b>bold</b> text.</p><p style="display:none">HIDDEN one</p>
<div style="visibility:hidden">HIDDEN two <span style="visibility:visible">SHOWN</span></div>
<ul><li>first</li><li>second</li></ul><table><tr><td>left</td><td>right</td></tr></table>
<img alt="a cat" src="/cat.png"><input value="typed"><input type="password" value="HIDDEN three">
<details><summary>More</summary>HIDDEN four</details><x-card>slotted</x-card>
<iframe src="${otherHost}/frame" width="200" height="100"></iframe><p>after the frame</p>
<script>
customElements.define('x-card', class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = '<style>.shadow{top:0}</style><p>Shadow words <slot></slot></p><a href="in-shadow">shadow link</a>' } });
const sheet = new CSSStyleSheet(); sheet.replaceSync('.adopted{color:green}'); document.adoptedStyleSheets = [sheet];
const style = document.head.appendChild(document.createElement('style')); style.sheet.insertRule('.inserted{color:pink}');
setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<a href="/late">Late link</a>'), 200);
</script></body></html>`;

const tall = `<!DOCTYPE html><style>body{margin:0}div{height:1000px}</style>${'<div></div>'.repeat(9)}
<img loading="lazy" width="10" height="10" src="/lazy.png">${'<div></div>'.repeat(9)}`;

const styled = `<!DOCTYPE html><style>h1{color:rgb(1,2,3);font-size:20px;--own:kept} p::before{content:'Note';color:rgb(9,9,9)}</style>
<h1 id="top">Title</h1><p>Said</p><ul>${'<li>one</li>'.repeat(25)}</ul><div id="host"></div><form><input name="parentElement"></form>
<script>window.getComputedStyle = () => ({ getPropertyValue: () => 'faked' });
document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<b class="shadow-title" style="color:rgb(7,7,7)">In</b>';</script>`;

let sites: Server[] = [];
let url = '';
let requested: string[] = [];
let browser: Browser;
let loads: View[] = [];

async function serve(page: (path: string) => string | undefined): Promise<string> {
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    const body = page(request.url ?? '');
    const type = request.url?.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    response.end(body ?? '');
  });
  sites.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const otherHost = await serve((path) =>
    path === '/frame'
      ? '<p>Frame words</p><script>1</script>'
      : '@import "deep.css"; .far{margin:0}'.slice(path === '/deep.css' ? 19 : 0),
  );
  const pages: Record<string, string> = { '/': rich(otherHost), '/tall': tall, '/styled': styled };
  url = await serve((path) => pages[path]);
  const real = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    maxPages: 2,
  });
  browser = {
    ...real,
    withPage(address, view, options, use) {
      loads.push(view);
      return real.withPage(address, view, options, use);
    },
  };
});

afterAll(async () => {
  await browser?.close();
  for (const site of sites) {
    site.close();
    site.closeAllConnections();
  }
  sites = [];
});

async function gather(path: string, strategies: string[], strategyOptions: Record<string, unknown> = {}) {
  const { gathered, pageFailure } = await gatherAll({
    ...bareFetchInput,
    url: url + path,
    deviceType: 'desktop',
    strategies,
    strategyOptions,
    fetch: () => Promise.reject(new Error('Nothing is asked beside the page.')),
    browser,
    signal: new AbortController().signal,
    log: () => {},
  });
  expect(pageFailure).toBeUndefined();
  return gathered;
}

const wordsOf = (parts: { text?: string }[]) => parts.map(({ text }) => text ?? '').join('');

describe('one load of a page with frames, shadow roots and late links', () => {
  const names = ['web-page-links', 'web-page-text', 'web-page-html', 'web-page-css'];
  let gathered: Awaited<ReturnType<typeof gather>>;

  beforeAll(async () => {
    loads = [];
    gathered = await gather('/', names, { 'web-page-css': { includeInlineStyles: true } });
  });

  const dataOf = (name: string) => gathered.find((one) => one.name === name)?.data as Record<string, unknown>;

  test('serves all four strategies', () => {
    expect(gathered.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(loads).toEqual([
      { deviceType: 'desktop', waitUntil: 'networkidle', skip: ['image', 'media', 'font'] },
    ]);
  });

  test('its text is what a reader sees, in reading order', () => {
    expect(dataOf('web-page-text')).toMatchObject({
      url: `${url}/`,
      status: 200,
      title: 'Shop & more',
      truncated: false,
      text: [
        'Hello world\n\nSome bold text.\n\nSHOWN\n\n- first\n- second\n\nleft right\n\n[a cat] typed\nMore',
        'Shadow words slotted\n\nshadow link\nFrame words\n\nafter the frame\n\nLate link',
      ].join('\n\n'),
    });
  });

  test('its HTML contains shadow roots and frames, without scripts and comments', () => {
    const html = String(dataOf('web-page-html').html);
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en"><head><title>Shop &amp; more<\/title>/);
    expect(html).toContain('<template shadowrootmode="open"><p>Shadow words <slot></slot></p>');
    expect(html).toMatch(/<iframe [^>]*><body><p>Frame words<\/p><\/body><\/iframe>/);
    expect(html).toContain('<a href="/late">Late link</a>');
    expect(html).not.toMatch(/<script|<style|<!-- |onload/);
  });

  test('its CSS contains remote, imported, adopted and scripted sheets, and no others', () => {
    const css = String(dataOf('web-page-css').css).split('\n');
    expect(css).toEqual(
      expect.arrayContaining([
        '.far{margin:0}',
        '.x{color:red}',
        '.adopted{color:green}',
        '.inserted{color:pink}',
        '.shadow{top:0}',
        'p[style]{display:none}',
      ]),
    );
    expect(requested).toContain('/deep.css');
    expect(css.join('\n')).not.toContain('summary');
  });

  test('its links include late ones and those of shadow roots, with the selector of the host', () => {
    const { finalUrl, links } = dataOf('web-page-links') as unknown as PageLinks;
    expect(finalUrl).toBe(`${url}/`);
    expect(links.find(({ text }) => text === 'Late link')?.url).toBe(`${url}/late`);
    expect(links.find(({ text }) => text === 'shadow link')).toMatchObject({
      url: `${url}/in-shadow`,
      selector: 'html > body:nth-of-type(1) > x-card:nth-of-type(1)',
    });
  });

  test('the prompts of links and text describe their data', () => {
    const [links, text] = gathered.map(({ parts }) => wordsOf(parts as { text?: string }[]));
    expect(links).toContain(`internal anchor ${url}/late "Late link"`);
    expect(text).toContain(`Visible text of ${url}/ (title: Shop & more):\nHello world`);
  });
});

test('options leave out frames, the head or the body', async () => {
  const [text, html] = await gather('/', ['web-page-text', 'web-page-html'], {
    'web-page-text': { excludeIframes: true },
    'web-page-html': { excludeIframes: true, includeHead: false, waitUntil: 'networkidle0' },
  });
  expect(JSON.stringify(text?.data)).not.toContain('Frame words');
  const source = (html!.data as { html: string }).html;
  expect(source).toMatch(/^<body>/);
  expect(source).not.toContain('Frame words');
});

const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
};

describe('a screenshot of a tall page', () => {
  test('is cut at the largest height that the browser draws, in pieces, after lazy content has loaded', async () => {
    requested = [];
    const [{ data, parts } = { parts: [] }] = await gather('/tall', ['web-page-screenshot']);
    expect(requested).toContain('/lazy.png');
    const { bytes, pieces, ...rest } = data as Screenshot;
    expect(rest).toEqual({ width: 1366, height: 16_384, truncated: true, deviceType: 'desktop' });
    expect(sizeOf(bytes)).toEqual({ width: 1366, height: 16_384 });
    expect(pieces.map(sizeOf).map(({ height }) => height)).toEqual([4000, 4000, 4000, 4000, 384]);
    expect(parts.filter((part) => 'image' in part)).toHaveLength(5);
    expect(wordsOf(parts as { text?: string }[])).toContain('the page goes on below');
  });

  test('uses the device and the height of its options', async () => {
    const [{ data } = {}] = await gather('/tall', ['web-page-screenshot'], {
      'web-page-screenshot': {
        deviceType: 'mobile',
        maxPageHeightPx: 900,
        scrollBeforeCapture: false,
        waitUntil: 'commit',
      },
    });
    const { bytes, deviceType, height } = data as Screenshot;
    expect({ deviceType, height }).toEqual({ deviceType: 'mobile', height: 900 });
    expect(sizeOf(bytes).height).toBe(900);
    expect(loads.at(-1)).toEqual({ deviceType: 'mobile', waitUntil: 'domcontentloaded', skip: [] });
  });
});

test('computed styles cover elements, pseudo-elements and shadow roots', async () => {
  const selectors = ['h1', 'li', 'p::before', '.shadow-title', ')(', 'video'];
  const [{ data, parts } = { parts: [] }] = await gather('/styled', ['computed-styles'], {
    'computed-styles': { selectors, properties: ['color', 'fontSize', '--own', 'no-such-property'] },
  });
  const { selectors: results } = data as {
    selectors: { count: number; error?: string; elements: object[] }[];
  };
  expect(results.map(({ count, error }) => error ?? count)).toEqual([
    1,
    25,
    1,
    1,
    'The selector is not valid.',
    0,
  ]);
  expect(results.map(({ elements }) => elements[0])).toEqual([
    {
      selector: '#top',
      text: 'Title',
      styles: { color: 'rgb(1, 2, 3)', 'font-size': '20px', '--own': 'kept' },
    },
    expect.objectContaining({
      selector: 'html > body:nth-of-type(1) > ul:nth-of-type(1) > li:nth-of-type(1)',
    }),
    {
      selector: 'html > body:nth-of-type(1) > p:nth-of-type(1)',
      text: 'Said',
      styles: { content: '"Note"', color: 'rgb(9, 9, 9)', 'font-size': '16px' },
    },
    expect.objectContaining({ selector: '#host', styles: { color: 'rgb(7, 7, 7)', 'font-size': '16px' } }),
    undefined,
    undefined,
  ]);
  expect(results[1]?.elements).toHaveLength(20);
  const words = wordsOf(parts as { text?: string }[]);
  expect(words).toContain('#top "Title"\n    color: rgb(1, 2, 3); font-size: 20px; --own: kept');
  expect(words).toContain('the same as the one above');
  expect(words).toContain('(5 more)');
  expect(words).toContain(')(: The selector is not valid.\nvideo: nothing in the page matches.');

  const [plain] = await gather('/styled', ['computed-styles'], { 'computed-styles': { selectors: ['h1'] } });
  expect(wordsOf(plain!.parts as { text?: string }[])).toMatch(
    /display: block; .*font-family: .*cursor: auto/,
  );
});
