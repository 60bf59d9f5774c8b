import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Serves a site of plain HTML to `links.ts` and `crawl.ts` from a separate process, and sends its port to the parent.
const PAGES = 2_000;
const LINKS_PER_PAGE = 30;

const page = (number: number) => {
  const items = Array.from({ length: LINKS_PER_PAGE }, (_, index) => {
    const target = (number * LINKS_PER_PAGE + index * 7 + 1) % PAGES;
    return `<li class="item"><a href="/page/${target}" title="Page ${target}">Page number ${target}</a> and a few words on it.</li>`;
  });
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><h1>Page ${number}</h1><ul>${items.join('\n')}</ul></main></body></html>`;
};
const pages = Array.from({ length: PAGES }, (_, number) => Buffer.from(page(number)));

const server = createServer((request, response) => {
  const [, kind, number] = request.url!.split('/');
  const body = kind === 'page' ? pages[Number(number)] : request.url === '/' ? pages[0] : undefined;
  if (!body) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
});
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
