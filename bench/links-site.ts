import { readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

// Serves a site of plain HTML to `links.ts` and `crawl.ts` from a separate process, and sends its port to the parent.
// With a folder as its argument, it serves the files of the folder instead.
const PAGES = 2_000;
const LINKS_PER_PAGE = 30;

const page = (number: number) => {
  const items = Array.from({ length: LINKS_PER_PAGE }, (_, index) => {
    const target = (number * LINKS_PER_PAGE + index * 7 + 1) % PAGES;
    return `<li class="item"><a href="/page/${target}" title="Page ${target}">Page number ${target}</a> and a few words on it.</li>`;
  });
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><h1>Page ${number}</h1><ul>${items.join('\n')}</ul></main></body></html>`;
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
};

type Answer = { body: Buffer; type: string } | { location: string } | undefined;

/** Answers like a server of static files. */
function fileAt(folder: string, path: string): Answer {
  try {
    const file = join(folder, decodeURIComponent(path));
    const isFolder = statSync(file).isDirectory();
    if (isFolder && !path.endsWith('/')) return { location: `${path}/` };
    const name = isFolder ? join(file, 'index.html') : file;
    return { body: readFileSync(name), type: TYPES[extname(name)] ?? 'application/octet-stream' };
  } catch {
    return undefined;
  }
}

function generated(): (path: string) => Answer {
  const pages = Array.from({ length: PAGES }, (_, number) => Buffer.from(page(number)));
  return (path) => {
    const [, kind, number] = path.split('/');
    const body = kind === 'page' ? pages[Number(number)] : path === '/' ? pages[0] : undefined;
    return body && { body, type: TYPES['.html']! };
  };
}

function send(response: ServerResponse, answer: Answer, isHead: boolean) {
  if (!answer) return response.writeHead(404, { 'content-type': 'text/plain' }).end();
  if ('location' in answer) return response.writeHead(301, { location: answer.location }).end();
  const { body, type } = answer;
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  return response.end(isHead ? undefined : body);
}

const [, , folder] = process.argv;
const answerTo = folder === undefined ? generated() : (path: string) => fileAt(folder, path);
const server = createServer((request, response) => {
  send(response, answerTo(new URL(request.url!, 'http://site').pathname), request.method === 'HEAD');
});
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());
