import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, serve } from '../net/testing-servers.ts';
import { type Browser, browserOfRun, type View } from './browser.ts';
import { createBrowser } from './browser-pool.ts';

const view: View = { deviceType: 'desktop', waitUntil: 'settled', skip: ['image', 'media', 'font'] };

let browser: Browser;

beforeAll(() => {
  browser = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({ allowHosts: ['127.0.0.1'] }),
    log: () => {},
    // All pages that never settle are open at once.
    maxPages: 9,
  });
});

afterEach(cleanUp);
afterAll(() => browser.close());

const ADD = 'const add = () => document.body.insertAdjacentHTML("beforeend", "<a href=/late>Late</a>");';
/** A fetch that is slow on purpose. */
const later = (ms: number) => `fetch('/slow/${ms}').then((answer) => answer.text())`;

const site = (html: string) =>
  serve(async ({ url = '' }, response) => {
    const [, kind, ms] = url.split('/');
    if (kind === 'never') return;
    if (kind === 'slow') await sleep(Number(ms));
    if (kind === 'stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      return;
    }
    const body: Record<string, string> = { '': html, script: 'add()', next: page('setTimeout(add, 100)') };
    response.writeHead(200, { 'content-type': kind === 'script' ? 'text/javascript' : 'text/html' });
    response.end(body[kind!] ?? 'x');
  });

const page = (script: string) => `<!doctype html><body><p>Words</p><script>${ADD}${script}</script>`;

async function linksOf(html: string, from = browser): Promise<string[]> {
  const { url } = await site(html);
  return from.withPage(url, { ...view, onlyReads: true }, { timeoutMs: 60_000 }, async ({ page }) => {
    const settled = await page.content();
    return [...settled.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);
  });
}

test.each([
  ['at once', 'add()'],
  ['when the document is ready', 'addEventListener("DOMContentLoaded", add)'],
  ['when the page has loaded', 'addEventListener("load", add)'],
  ['after 100 ms', 'setTimeout(add, 100)'],
  ['after 300 ms', 'setTimeout(add, 300)'],
  ['after 900 ms', 'setTimeout(add, 900)'],
  ['after a chain of timers', 'setTimeout(() => setTimeout(() => setTimeout(add, 200), 200), 200)'],
  ['from fetched data', `${later(300)}.then(add)`],
  ['after a chain of fetches', `${later(100)}.then(() => ${later(150)}).then(() => ${later(100)}).then(add)`],
  ['by a fetch that a timer starts', `setTimeout(() => ${later(200)}.then(() => setTimeout(add, 50)), 400)`],
  [
    'by a script that is loaded late',
    'onload = () => { const s = document.createElement("script"); s.src = "/script"; document.body.append(s) }',
  ],
  ['when the browser is idle', 'requestIdleCallback(add)'],
  ['in an animation frame', 'requestAnimationFrame(() => requestAnimationFrame(add))'],
  [
    'when an element comes into view',
    'new IntersectionObserver(([seen]) => seen.isIntersecting && add()).observe(document.querySelector("p"))',
  ],
  [
    'by a worker',
    `new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 250)"]))).onmessage = add`,
  ],
  ['by an event stream', 'new EventSource("/stream").onmessage = add'],
  ['by a page that it redirects to', 'setTimeout(() => location.replace("/next"), 200)'],
  [
    'as an address that a script changes',
    'document.body.append(document.createElement("a")); setTimeout(() => { document.querySelector("a").href = "/late" }, 200)',
  ],
])('a link that is added %s is in the document', async (_when, script) => {
  expect(await linksOf(page(script))).toContain('/late');
  // There, the clock is stopped only for timers that are due later.
  expect(await linksOf(page(script), browserOfRun(browser))).toContain('/late');
});

test('a page with a meta refresh is followed', async () => {
  const { url } = await site('<!doctype html><meta http-equiv=refresh content="0; url=/next">');
  const read = await browser.withPage(url, view, {}, ({ page }) => page.content());
  expect(read).toContain('<a href="/late">');
});

test('pages that never settle are read as they are after a time limit', async () => {
  const pages = [
    'setInterval(() => { document.title = Math.random() }, 10)',
    'setInterval(add, 20)',
    'const tick = () => setTimeout(tick, 0); tick()',
    'const turn = () => { document.title = Math.random(); requestAnimationFrame(turn) }; turn()',
    `setInterval(() => ${later(5)}, 30)`,
    `const poll = () => ${later(5)}.then(poll); poll()`,
    'fetch("/never/")',
    'new EventSource("/stream")',
    'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => port2.postMessage(0); port2.postMessage(0)',
  ];
  const read = await Promise.all(pages.map((script) => linksOf(page(`add();${script}`))));
  expect(read.map(([first]) => first)).toEqual(pages.map(() => '/late'));
});
