import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

// Serves the site of `accessibility.ts` and `lighthouse.ts` from a separate process, and sends its port to the
// parent. With a folder as its argument, it serves the files of the folder instead. Each page violates some rules of axe-core, and on every second page a script adds one of the violations.
export const PAGES = 20;
const VIOLATIONS_PER_PAGE = 4;

/** Markup that violates a rule of axe-core, by the id of the rule. */
const VIOLATIONS: Record<string, string> = {
  'color-contrast': '<p style="color:#aaa">Words that are too pale to read.</p>',
  'image-alt': '<img src="/logo.svg" width="20" height="20">',
  'button-name': '<button></button>',
  'link-name': '<a href="/somewhere"></a>',
  label: '<input name="query">',
  'select-name': '<select><option>One</option></select>',
  'aria-required-attr': '<div role="checkbox" tabindex="0">Check</div>',
  'aria-roles': '<div role="buttom">Press</div>',
  'aria-valid-attr': '<p aria-foo="1">Words</p>',
  'aria-hidden-focus': '<div aria-hidden="true"><button>Hidden</button></div>',
  list: '<ul><p>No item</p></ul>',
  listitem: '<li>No list</li>',
  'definition-list': '<dl><p>No term</p></dl>',
  'td-headers-attr': '<table><tr><th id="a">A</th></tr><tr><td headers="none">1</td></tr></table>',
  'frame-title': '<iframe src="/frame" width="50" height="50"></iframe>',
  'aria-valid-attr-value': '<button aria-expanded="maybe">Open</button>',
  'heading-order': '<h5>Too deep</h5>',
  tabindex: '<a href="/x" tabindex="5">First</a>',
  'input-image-alt': '<input type="image" src="/logo.svg">',
  'scope-attr-valid': '<table><tr><th scope="up">A</th></tr><tr><td>1</td></tr></table>',
};

const rules = Object.keys(VIOLATIONS);
/** Ids of the rules that a page violates. */
export const plantedOn = (number: number): string[] =>
  Array.from({ length: VIOLATIONS_PER_PAGE }, (_, index) => rules[(number * 7 + index * 3) % rules.length]!);

const paragraph = (index: number) =>
  `<h2>Part ${index}</h2><p>Some words of part ${index} with a <a href="/page/${index}">link to page ${index}</a> in them.</p>`;

function page(number: number) {
  const violations = plantedOn(number).map((rule) => VIOLATIONS[rule]!);
  const late = number % 2 === 0 ? violations.pop()! : '';
  const script = late
    ? `<script src="/app.js"></script><script>show(${JSON.stringify(late).replaceAll('</', '<\\/')})</script>`
    : '';
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title><link rel="stylesheet" href="/style.css"></head>
<body><header><nav><a href="/">Home</a></nav></header><main><h1>Page ${number}</h1>${Array.from({ length: 8 }, (_, index) => paragraph(index)).join('\n')}
${violations.join('\n')}<div id="late"></div></main>${script}</body></html>`;
}

/** The page of `lighthouse.ts`, with a performance score in the middle of the range. */
const HEAVY = `<!doctype html><html lang="en"><head><title>Heavy</title><script src="/busy.js"></script></head><body><h1>Heavy</h1>
<p>${'Words upon words. '.repeat(2000)}</p><script>setTimeout(() => { document.body.prepend(Object.assign(document.createElement('h2'),
{ textContent: 'Late', style: 'height: 300px' })); }, 500)</script></body></html>`;
const BUSY = `const until = performance.now() + 250; while (performance.now() < until);/*${'x'.repeat(300_000)}*/`;

function contentOf(url: string): readonly [type: string, body: string] | undefined {
  const [, kind, number] = url.split('/');
  if (url === '/app.js')
    return [
      'text/javascript',
      `const show = (html) => { document.querySelector('#late').innerHTML = html; };`,
    ];
  if (url === '/busy.js') return ['text/javascript', BUSY];
  if (url === '/heavy') return ['text/html; charset=utf-8', HEAVY];
  if (url === '/style.css') return ['text/css', 'body { font: 16px sans-serif } main { max-width: 60rem }'];
  if (url === '/logo.svg') return ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'];
  if (url === '/frame')
    return ['text/html', '<!doctype html><html lang="en"><title>F</title><main><h1>F</h1></main></html>'];
  return kind === 'page' && Number(number) < 1000
    ? ['text/html; charset=utf-8', page(Number(number))]
    : undefined;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** A file of a folder, by the path of its URL. */
function fileAt(folder: string, url: string): readonly [type: string, body: Buffer] | undefined {
  const path = join(folder, decodeURIComponent(new URL(url, 'http://localhost').pathname));
  try {
    return [TYPES[extname(path)] ?? 'application/octet-stream', readFileSync(path)];
  } catch {
    return undefined;
  }
}

if (process.send && process.argv[1] === import.meta.filename) {
  const folder = process.argv[2];
  const server = createServer((request, response) => {
    const [type, body] = (folder ? fileAt(folder, request.url!) : contentOf(request.url!)) ?? [];
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send!({ port: (server.address() as AddressInfo).port });
  });
  process.on('disconnect', () => process.exit());
}
