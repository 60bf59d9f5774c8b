import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const pageOf = (path: string) => `<!doctype html>
<html lang="en"><head><title>Rolls of ${path}</title></head>
<body><h1>Rolls</h1><p>Fresh every day. <img src="/roll.png"> <a href="/gone">Gone</a></p></body></html>`;

/** Serves any number of pages below `/page/`, each with a picture without a description and a broken link. */
export async function startSite(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const found = path.startsWith('/page/');
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(found ? pageOf(path) : '<h1>Not found</h1>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
