import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeSite, fakeSite } from '../../../test/fakes/site.ts';
import { bareFetchInput } from '../../../test/reviews/review-inputs.ts';
import { newTestContext, PLAIN_HOST } from '../../../test/service/test-browser.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { gatherAll } from './gather.ts';
import type { PageAccessibility } from './web-page-accessibility.ts';

const html = (body: string, head = '<title>A page</title>') =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

const faulty = `<h1>Shop</h1><h4>Too deep</h4><p style="color:#999">Pale words</p><img src="/cat.png">
<button></button><a href="/x"></a><input name="q"><div role="buttom">x</div><p id="twice"></p><p id="twice"></p>`;

const inner = html('<p style="color:#aaa;background:#fff">Pale</p><img src="/i.png"><h1>Inside</h1>');

/** Breaks everything that a script in the page could rely on. */
const hostileScript = `<script>
  window.axe = { run: async () => ({ violations: [], incomplete: [], passes: [] }) };
  window.define = Object.assign(() => {}, { amd: true }); window.module = { exports: {} };
  Array.prototype.filter = Array.prototype.forEach = Element.prototype.matches = () => { throw new Error('broken'); };
  document.querySelectorAll = Document.prototype.querySelectorAll = () => [];
  window.getComputedStyle = () => ({}); JSON.stringify = () => '{}';
  window.Promise = window.setTimeout = function () {};
</script><a id="axe" href="/a">a</a><a id="define" href="/a">b</a><form id="module"><input name="exports" aria-label="c"></form>`;

/** Pages by name; frames of another site are served at the port. */
const pagesWith = (port: string): Record<string, string> => ({
  sound: html('<main><h1>All is well</h1><p>Words</p></main>'),
  faulty: html(faulty),
  'without title and language': '<!DOCTYPE html><p>Words',
  colors:
    html(`<main><h1>Colours</h1><style>.over{position:absolute;top:40px}.grad{background:linear-gradient(#fff,#000)}</style>
    <p style="color:#777">Nearly</p><p style="color:#888;font-size:30px">Large</p><p class="grad" style="color:#555">Gradient</p>
    <p class="over" style="color:#bbb">Over</p><p style="opacity:.4">Faint</p><div style="background:#333"><a href="/">Dark</a></div></main>`),
  tables:
    html(`<main><h1>Tables</h1><table><tr><th>a</th><th></th></tr><tr><td headers="none">1</td><td>2</td></tr></table>
    <table><caption>c</caption><tr><td colspan="2">Heading</td></tr><tr><th scope="up">x</th><td>1</td></tr></table>
    <ul><p>no item</p></ul><dl><dd>alone</dd></dl><li>loose</li></main>`),
  forms:
    html(`<form><label>Name<input></label><input type="email" placeholder="mail"><select><option>1</select>
    <input type="image" src="/go.png"><label for="none">None</label><textarea aria-labelledby="nothing"></textarea>
    <input autocomplete="nonsense" aria-label="x"><input type="button"></form>`),
  aria: html(`<div role="checkbox">Check</div><div role="tablist"><span>no tab</span></div><div aria-hidden="true"><button>Hidden</button></div>
    <div role="slider" aria-valuenow="x" tabindex="5">s</div><nav aria-label="n"></nav><nav aria-label="n"></nav><main></main><main></main>
    <div role="dialog" aria-modal="maybe">d</div><p aria-foo="1">p</p><a href="#nowhere">Skip</a>`),
  'shadow roots': html(`<h1>Shadow</h1><x-card></x-card><x-card></x-card><script>
    customElements.define('x-card', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<img src="/s.png"><p style="color:#ccc">Pale</p><x-deep></x-deep>' } });
    customElements.define('x-deep', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<button></button>' } });
    setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<img src="/late.png">'), 300);</script>`),
  frames: html(`<h1>Frames</h1><iframe src="/inner"></iframe><iframe title="near" src="/nested"></iframe>
    <iframe title="far" src="http://${PLAIN_HOST}:${port}/nested"></iframe><iframe hidden src="/inner"></iframe>`),
  nested: html('<iframe title="deep" src="/inner"></iframe><img src="/n.png">'),
  inner,
  'a hostile script': html(faulty + hostileScript),
  'no hostile script': html(faulty + hostileScript.replace(/<script>.*<\/script>/s, '')),
});

let site: FakeSite;
let farSite: FakeSite;
let ours: Browser;
let plain: BrowserContext;

beforeAll(async () => {
  const policy = {
    'content-security-policy': "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
  };
  farSite = await fakeSite({ '/nested': pagesWith('').nested!, '/inner': inner });
  const served = Object.entries(pagesWith(new URL(farSite.url).port)).map(([name, body]) => [
    `/${encodeURIComponent(name)}`,
    { status: 200, body, headers: name === 'a hostile script' ? policy : {} },
  ]);
  site = await fakeSite(Object.fromEntries(served));
  plain = await newTestContext({ viewport: { width: 1366, height: 768 }, isWatched: false });
  ours = createBrowser({
    chromePath: process.env.CHROME_PATH,
    guard: createGuard({
      allowHosts: ['127.0.0.1'],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    }),
    log: () => {},
    maxPages: 2,
  });
});

afterAll(() => ours?.close());

const addressOf = (name: string) => `${site.url}/${encodeURIComponent(name)}`;

async function gather(name: string, options: object = {}) {
  const { gathered } = await gatherAll({
    ...bareFetchInput,
    url: addressOf(name),
    deviceType: 'desktop',
    strategies: ['web-page-accessibility'],
    strategyOptions: { 'web-page-accessibility': options },
    fetch: () => Promise.reject(new Error('Nothing is asked beside the page.')),
    browser: ours,
    signal: new AbortController().signal,
    log: () => {},
  });
  return gathered[0]!;
}

interface AxeGlobal {
  axe: { configure(options: object): void; run(): Promise<Record<string, Rule[]>> };
}
type Rule = PageAccessibility['violations'][number];

/** The results of axe-core itself, run as a script in the page and its frames. */
async function bareAxe(name: string) {
  const program = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const page = await plain.newPage();
  try {
    await page.goto(addressOf(name), { waitUntil: 'load' });
    if (name === 'shadow roots') await page.waitForSelector('img[src="/late.png"]', { state: 'attached' });
    for (const frame of page.frames()) {
      await frame.evaluate(program);
      await frame.evaluate(() =>
        (globalThis as unknown as AxeGlobal).axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }),
      );
    }
    return await page.evaluate(() => (globalThis as unknown as AxeGlobal).axe.run());
  } finally {
    await page.close();
  }
}

const comparable = (rules: Rule[]) =>
  rules.map(({ id, impact, help, helpUrl, tags, nodes }) => ({
    id,
    impact,
    help,
    helpUrl,
    tags,
    nodes: nodes.map(({ impact, target, html, failureSummary }) => ({
      impact,
      target,
      html,
      failureSummary,
    })),
  }));

test.each(Object.keys(pagesWith('')).filter((name) => !/hostile|inner|nested/.test(name)))(
  'a page of %s has the same results as in axe-core itself',
  async (name) => {
    const [{ data, error }, bare] = await Promise.all([gather(name), bareAxe(name)]);
    expect(error).toBeUndefined();
    const { violations, incomplete, passes } = data as PageAccessibility;
    expect(comparable(violations)).toEqual(comparable(bare.violations!));
    expect(comparable(incomplete)).toEqual(comparable(bare.incomplete!));
    expect(passes).toBe(bare.passes!.length);
    if (name !== 'sound') expect(violations.length).toBeGreaterThan(0);
  },
);

test('a page can neither fake nor suppress results', async () => {
  const [hostile, harmless] = [await gather('a hostile script'), await gather('no hostile script')];
  const [found, expected] = [hostile.data as PageAccessibility, harmless.data as PageAccessibility];
  expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual(
    expected.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]),
  );
  expect(expected.violations.length).toBeGreaterThan(5);
});

test('options choose the rules, and an unknown rule is an error', async () => {
  const idsOf = ({ data }: { data?: unknown }) => (data as PageAccessibility).violations.map(({ id }) => id);
  expect(idsOf(await gather('faulty', { tags: ['best-practice'] }))).toEqual([
    'heading-order',
    'landmark-one-main',
    'region',
  ]);
  const off = { 'image-alt': { enabled: false } };
  expect(idsOf(await gather('faulty', { rules: off }))).not.toContain('image-alt');
  expect((await gather('faulty', { rules: { 'no-such-rule': { enabled: true } } })).error).toContain(
    'no-such-rule',
  );
});

test('a prompt has each rule once, with its elements and what is wrong with them', async () => {
  const { parts, data } = await gather('frames');
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('');
  expect(text).toMatch(/as axe-core judges it: \d+ rules broken by \d+ elements/);
  expect(
    text.match(/^- image-alt \[critical; wcag2a, wcag111\] Images must have alternative text/gm),
  ).toHaveLength(1);
  expect(text).toContain('  - iframe[title="far"] >> iframe >> img');
  const image = (data as PageAccessibility).violations.find(({ id }) => id === 'image-alt');
  expect(image?.nodes.map(({ selector }) => selector)).toContain('iframe[title="near"]');
});
