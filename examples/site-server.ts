import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(import.meta.dirname, 'site');

const MIME_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Answer = { status: number; headers?: Record<string, string>; html?: string };

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Saltmarsh Kayaks</title>` +
  '<link rel="stylesheet" href="/style.css"></head>' +
  `<body><main><h1>${title}</h1><p>${text}</p><p><a href="/">Back to the loft</a></p></main></body></html>`;

const redirect = (status: number, location: string): Answer => ({ status, headers: { location } });

/** Answers that no file can give: redirects, refusals and failures. README.md of the site explains each. */
const routes: Record<string, (method: string) => Answer> = {
  '/shop': () => redirect(301, '/boats.html'),
  '/journal/latest': () => redirect(302, '/journal/newest'),
  '/journal/newest': () => redirect(302, '/journal/latest'),
  '/stock/osprey': () => ({ status: 500, html: page('Something broke', 'The stock book cannot be read.') }),
  '/members/': () => redirect(302, '/login?next=/members/'),
  '/login': () => ({ status: 200, html: page('Sign in', 'Owners sign in with the number of their boat.') }),
  '/tides': (method) =>
    method === 'GET'
      ? { status: 200, html: page('Tides', 'High water on Saturday at 09:12 and 21:40.') }
      : { status: 405, headers: { allow: 'GET' } },
  '/enquiries': (method) =>
    method === 'POST' ? redirect(303, '/contact.html') : { status: 405, headers: { allow: 'POST' } },
};

const send = (response: ServerResponse, { status, headers, html }: Answer): void => {
  response.writeHead(status, { ...(html && { 'content-type': MIME_TYPES['.html']! }), ...headers });
  response.end(html);
};

/** The file for a path of the site, or undefined; never a file outside the folder, nor the README of the site. */
const findFile = async (path: string): Promise<string | undefined> => {
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  if (!file.startsWith(folder + sep) || !(extname(file) in MIME_TYPES)) return undefined;
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? file : undefined;
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const method = request.method ?? 'GET';
  request.resume();
  let path: string;
  try {
    path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
  } catch {
    return send(response, { status: 400 });
  }
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route) return send(response, route(method));
  if (method !== 'GET' && method !== 'HEAD')
    return send(response, { status: 405, headers: { allow: 'GET, HEAD' } });
  const file = path.includes('\0') ? undefined : await findFile(path);
  if (!file)
    return send(response, {
      status: 404,
      html: page('Not here', 'This page has drifted off with the tide.'),
    });
  response.writeHead(200, { 'content-type': MIME_TYPES[extname(file)]! });
  if (method === 'HEAD') response.end();
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
};

/** Serves the sample site on loopback; port 0 chooses a free port. */
export async function startSite(port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [port = '0'] = process.argv.slice(2);
  startSite(Number(port)).then(
    ({ url }) => console.log(`The sample site is at ${url}/.`),
    (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message;
      console.error(`The sample site cannot listen on port ${port}: ${why}.`);
      process.exitCode = 1;
    },
  );
}
