import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeSite {
  url: string;
  /** Method and path of each request so far, in order. */
  requests: string[];
  close(): Promise<void>;
}

export type Page = string | { status: number; body?: string; headers?: Record<string, string> };

/** Serves the given pages on loopback, and 404 for every other path. A string is an HTML body. */
export async function fakeSite(pages: Record<string, Page>): Promise<FakeSite> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(`${request.method} ${path}`);
    const page = pages[path] ?? { status: 404, body: '<h1>Not found</h1>' };
    const { status, body = '', headers = {} } = typeof page === 'string' ? { status: 200, body: page } : page;
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
