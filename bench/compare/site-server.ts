// Serves the site of this comparison on loopback, and tells its parent the port.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

const folder = join(import.meta.dirname, 'site');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const FILES = ['index', 'courses', 'team', 'journal', 'prices', 'contact', 'map'].map(
  (name) => `/${name}.html`,
);
const OTHERS = ['/style.css', '/images/wheat.svg', '/images/oven.svg'];

/**
 * The leaked secrets, in parts, since a repository with whole ones cannot be pushed everywhere. They belong to no
 * account.
 */
const SECRETS: Record<string, string> = {
  '{{ACCESS_KEY}}': ['AKIA', '4QHXT', 'N2LRBWJ', 'ZV6D'].join(''),
  '{{SECRET_KEY}}': ['h8Rk2vQz', 'T1mXc9Lp', 'Wd4Yb7Ng', 'Sf3Ju6Ea', 'Ki5Po0Hx'].join(''),
  '{{DB_PASSWORD}}': ['crumb', '42', 'rise'].join('-'),
};

const plain = (title: string, text: string) =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="${text}"></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  type?: string;
}

const ROUTES: Record<string, (method: string) => Answer> = {
  '/booking': () => ({ status: 500, body: plain('Internal server error', 'The calendar cannot be read.') }),
  '/vouchers': () => ({ status: 302, headers: { location: '/gift-vouchers' } }),
  '/gift-vouchers': () => ({ status: 302, headers: { location: '/vouchers' } }),
  '/shop': () => ({ status: 301, headers: { location: '/prices.html' } }),
  '/terms': () => ({ status: 200, body: plain('Page not found', 'Sorry, this page does not exist.') }),
  '/opening-hours': (method) =>
    method === 'GET'
      ? { status: 200, body: plain('Opening hours', 'Tuesday to Saturday, from seven to two.') }
      : { status: 405, headers: { allow: 'GET' } },
  '/enquiries': (method): Answer =>
    method === 'POST'
      ? { status: 303, headers: { location: '/contact.html' } }
      : { status: 405, headers: { allow: 'POST' } },
  '/images/share.png': () => ({ status: 200, body: sharePicture(), type: 'image/png' }),
};

/** A gray picture of 1200 by 630 points, as networks want it. */
function sharePicture(): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32Of(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(1_200, 0);
  header.writeUInt32BE(630, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_201 * 630))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const crc32Of = (bytes: Buffer): number => {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
};

async function answer(method: string, path: string, origin: string): Promise<Answer> {
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (route) return route(method);
  const file = path === '/' ? '/index.html' : path;
  if (!FILES.includes(file) && !OTHERS.includes(file))
    return { status: 404, body: plain('Not found', 'There is no such page.') };
  let text = await readFile(join(folder, file), 'utf8');
  for (const [name, value] of Object.entries({ ...SECRETS, '{{ORIGIN}}': origin }))
    text = text.replaceAll(name, value);
  return { status: 200, body: text, type: TYPES[extname(file)]! };
}

const server = createServer((request, response) => {
  const { method = 'GET', url = '/', headers } = request;
  request.resume();
  answer(method, new URL(url, 'http://site').pathname, `http://${headers.host}`).then(
    ({ status, headers: more, body, type = TYPES['.html']! }) => {
      response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...more });
      response.end(method === 'HEAD' ? undefined : body);
    },
    () => response.destroy(),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
