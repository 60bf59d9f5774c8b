import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
  '.wasm': 'application/wasm',
};

export interface ServedFolder {
  /** The address of the folder, with a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** Serves the files of a folder on a free port of loopback. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const root = await realpath(folder);
  let host = '';
  const server = createServer((request, response) => {
    // A page of another site must not read the files through a name that leads to loopback.
    const work = request.headers.host === host ? answer(root, request, response) : end(response, 403);
    Promise.resolve(work).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return end(response, 405, { allow: 'GET, HEAD' });
  const url = URL.parse(request.url ?? '/', 'http://site');
  const found = url ? await findFile(root, url.pathname) : undefined;
  if (!url || !found) return end(response, 404);
  if (found === 'folder') {
    // A path that begins with two slashes would lead to another host.
    const location = `${url.pathname.replace(/^\/+/, '/')}/${url.search}`;
    return end(response, 301, { location });
  }
  response.writeHead(200, {
    'content-type': TYPES[extname(found.path).toLowerCase()] ?? 'application/octet-stream',
    'content-length': found.size,
    'last-modified': new Date(found.mtimeMs).toUTCString(),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD' || found.size === 0) return void response.end();
  // A file that grows meanwhile would exceed the announced length.
  await pipeline(createReadStream(found.path, { end: found.size - 1 }), response);
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(status === 404 ? 'There is no such file.\n' : '');
}

type Found = { path: string; size: number; mtimeMs: number };

/** The file for a path, or `folder` if the path lacks the slash of one. Nothing outside the root, and no dotfile. */
async function findFile(root: string, pathname: string): Promise<Found | 'folder' | undefined> {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const isHidden = path.split(/[/\\]/).some((part) => part.startsWith('.'));
  if (isHidden || path.includes('\0')) return undefined;
  try {
    const real = await realpath(join(root, path.endsWith('/') ? `${path}index.html` : path));
    // A link in the folder may lead out of it.
    if (real !== root && !real.startsWith(root + sep)) return undefined;
    const found = await stat(real);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? { path: real, size: found.size, mtimeMs: found.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}
