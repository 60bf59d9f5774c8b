import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Serves a site with scripts to `rendered-links.ts` and `crawl.ts` from a separate process, and sends its port to the
// parent. On most pages, as on the web, scripts add some of the links: immediately, when the document or the page has
// loaded, from fetched data, or after a timeout.
const PAGES = 2_000;
const STATIC_LINKS = 15;
const SCRIPTED_LINKS = 15;

const targets = (number: number, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => (number * 30 + (from + index) * 7 + 1) % PAGES);
const item = (target: number) =>
  `<li class="item"><a href="/page/${target}" title="Page ${target}">Page number ${target}</a> and a few words on it.</li>`;

/** Scripts that add the later links of a page; `add` and `show` are in the script that all pages share. */
const LINK_SCRIPTS = [
  (number: number) => `add(${number})`,
  (number: number) => `addEventListener('DOMContentLoaded', () => add(${number}))`,
  (number: number) => `addEventListener('load', () => add(${number}))`,
  (number: number) => `fetch('/data/${number}').then((answer) => answer.json()).then(show)`,
  (number: number) =>
    `fetch('/index/${number}').then((answer) => answer.json()).then(({ data }) => fetch(data)).then((answer) => answer.json()).then(show)`,
  (number: number) => `setTimeout(() => add(${number}), 100)`,
  (number: number) => `setTimeout(() => add(${number}), 300)`,
];
const APP = `
  const show = (targets) => document.querySelector('ul').insertAdjacentHTML('beforeend', targets.map((target) =>
    '<li class="item"><a href="/page/' + target + '">Page number ' + target + '</a></li>').join(''));
  const add = (number) => show(Array.from({ length: ${SCRIPTED_LINKS} }, (_, index) =>
    (number * 30 + (${STATIC_LINKS} + index) * 7 + 1) % ${PAGES}));
`;
const STYLE = 'main { max-width: 60rem; margin: auto } .item { padding: 4px; border-bottom: 1px solid #ccc }';

function page(number: number) {
  // Every fifth page has no scripts.
  const linkScript = number % 5 === 0 ? undefined : LINK_SCRIPTS[number % LINK_SCRIPTS.length]!;
  const links = targets(number, 0, linkScript ? STATIC_LINKS : STATIC_LINKS + SCRIPTED_LINKS);
  const scripts = linkScript ? `<script src="/app.js"></script><script>${linkScript(number)}</script>` : '';
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title><link rel="stylesheet" href="/style.css"></head><body><main><h1>Page ${number}</h1><img src="/logo.svg" alt=""><ul>${links.map(item).join('\n')}</ul></main>${scripts}</body></html>`;
}

const json = (value: unknown) => ['application/json', JSON.stringify(value)] as const;

function contentOf(url: string): readonly [type: string, body: string] | undefined {
  const [, kind, number] = url.split('/');
  if (url === '/app.js') return ['text/javascript', APP];
  if (url === '/style.css') return ['text/css', STYLE];
  if (url === '/logo.svg') return ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'];
  if (!(Number(number) < PAGES)) return undefined;
  if (kind === 'page') return ['text/html; charset=utf-8', page(Number(number))];
  if (kind === 'data') return json(targets(Number(number), STATIC_LINKS, SCRIPTED_LINKS));
  if (kind === 'index') return json({ data: `/data/${number}` });
  return undefined;
}

const server = createServer((request, response) => {
  const [type, body] = contentOf(request.url!) ?? [];
  if (body === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
});
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
