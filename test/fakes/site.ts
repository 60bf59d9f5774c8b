import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** Serves the given pages on loopback, and 404 for every other path. A string is an HTML body. */
export async function fakeSite(pages: Record<string, Page>): Promise<FakeSite> {
  const requests: string[] = [];
  const asked = new EventEmitter().setMaxListeners(0);
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    asked.emit(path);
    const page: Page = pages[path] ?? { status: 404, body: '<h1>Not found</h1>' };
    const answer: Answer = typeof page === 'string' ? { status: 200, body: page } : page;
    const { status, body = '', headers = {}, after } = answer;
    if (after !== undefined) await once(asked, after);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
