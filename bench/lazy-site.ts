import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Serves the site of `screenshots.ts` from a separate process, and sends its port to the parent. Its long pages have
// pictures that load when they become visible, by `loading="lazy"` (`/native/`) or by a script (`/scripted/`).
export const PICTURES = 40;
export const ROW_PX = 240;
const DELAY_MS = 10;

/** A distinct color per picture, by which a screenshot is checked for the picture. */
export const colorOf = (number: number): [number, number, number] => [
  (number * 37 + 20) % 256,
  (number * 91 + 60) % 256,
  (number * 53 + 120) % 256,
];

const SCRIPT = `<script>
  const watcher = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) {
      target.src = target.dataset.src;
      watcher.unobserve(target);
    }
  });
  for (const image of document.images) watcher.observe(image);
</script>`;

function page(kind: string) {
  const rows = Array.from({ length: PICTURES }, (_, number) => {
    const source =
      kind === 'native' ? `loading="lazy" src="/picture/${number}"` : `data-src="/picture/${number}"`;
    return `<div><img ${source} width="600" height="200" alt=""> Row ${number} with a few words on it.</div>`;
  });
  return `<!doctype html><html lang="en"><head><title>Long</title><style>
    body { margin: 0; font: 16px sans-serif } div { height: ${ROW_PX}px } img { vertical-align: top }
  </style></head><body>${rows.join('\n')}${kind === 'scripted' ? SCRIPT : ''}</body></html>`;
}

function picture(number: number) {
  const color = `rgb(${colorOf(number).join()})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><rect width="600" height="200" fill="${color}"/></svg>`;
}

if (import.meta.main) {
  const server = createServer((request, response) => {
    const [, kind = '', number] = request.url!.split('/');
    const respond = (type: string, body: string) =>
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    if (kind === 'picture') setTimeout(() => respond('image/svg+xml', picture(Number(number))), DELAY_MS);
    else if (kind === 'native' || kind === 'scripted') respond('text/html; charset=utf-8', page(kind));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1', () => {
    process.send!({ port: (server.address() as AddressInfo).port });
  });
  process.on('disconnect', () => process.exit());
}
