import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../run/at-end.ts';

export interface FakeSite {
  url: string;
  /** Method and path of each request so far, in order. */
  requests: string[];
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
  /** The path whose next request the answer waits for. */
  after?: string;
}

export type Page = string | Answer;

/**
 * Serves the given pages on loopback, and 404 for every other path, until it is closed, or until the end of the test or its
 * file. A string is an HTML body. A path that ends in `?*` is that of requests with any query.
 */
export async function fakeSite(pages: Record<string, Page>): Promise<FakeSite> {
  const requests: string[] = [];
  const asked = new EventEmitter().setMaxListeners(0);
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    asked.emit(path);
    const withAnyQuery = `${path.split('?')[0]}?*`;
    const page: Page = pages[path] ?? pages[withAnyQuery] ?? { status: 404, body: '<h1>Not found</h1>' };
    const answer: Answer = typeof page === 'string' ? { status: 200, body: page } : page;
    const { status, body = '', headers = {}, after } = answer;
    if (after !== undefined) await once(asked, after);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  atEnd(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close };
}
