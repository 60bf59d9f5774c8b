import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cases, type Hosts } from './faulty-site-cases.ts';
import { routes } from './faulty-site-routes.ts';

const PAGES = 200;

export interface FaultySite {
  seedUrl: string;
  /** URLs of all pages. */
  pages: string[];
  /** `<page> -> <link>` for every broken link. */
  expected: string[];
  requests: Map<string, number>;
  close(): Promise<void>;
}

/**
 * Starts a site whose faults are all known. Each case has its own page; further pages repeat the cases, in folders of
 * different depth, so that several pages link to the same broken address.
 */
export async function startFaultySite(): Promise<FaultySite> {
  const requests = new Map<string, number>();
  const pages = new Map<string, string>();
  const answer: RequestListener = (request, response) => {
    const path = request.url!;
    const visit = (requests.get(path) ?? 0) + 1;
    requests.set(path, visit);
    const html = pages.get(path.replace(/\?.*/, ''));
    const [, name = '', argument = ''] = /^\/([^/?]*)\/?(.*)$/.exec(path) ?? [];
    if (html !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    else if (Object.hasOwn(routes, name)) routes[name]!(request, response, argument, visit);
    else response.writeHead(404).end();
  };
  const servers = [await listen(answer, '127.0.0.1'), await listen(answer, '127.0.0.2')];
  const closed = await listen(answer, '127.0.0.1');
  const hosts: Hosts = {
    main: addressOf(servers[0]!),
    other: addressOf(servers[1]!),
    closed: `${addressOf(closed)}/`,
    authority: new URL(addressOf(servers[0]!)).host,
  };
  await close(closed);

  const expected: string[] = [];
  for (let number = 0; number < PAGES; number++) {
    const { name, html, broken } = cases[number % cases.length]!;
    const path = `/pages/${number % 7 === 0 ? 'deep/er/' : ''}${number}-${name.replaceAll(' ', '-')}.html`;
    const next = number + 1 < PAGES ? `<a href="${hosts.main}/">home</a>` : '';
    pages.set(
      path,
      `<!doctype html><html><head><title>${name}</title></head><body>${html(hosts)}${next}</body></html>`,
    );
    const pageUrl = `${hosts.main}${path}`;
    for (const url of broken?.(hosts) ?? []) expected.push(`${pageUrl} -> ${absolute(url, pageUrl)}`);
  }
  const list = [...pages.keys()].map((path) => `<li><a href="${path}">${path}</a>`);
  pages.set('/', `<!doctype html><title>Home</title><ul>${list.join('\n')}</ul>`);

  return {
    seedUrl: `${hosts.main}/`,
    pages: [...pages.keys()].map((path) => `${hosts.main}${path}`),
    expected,
    requests,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

const absolute = (url: string, pageUrl: string) =>
  /^h?ttps?:|^htp:/.test(url) ? (URL.parse(url)?.href ?? url) : new URL(url, pageUrl).href;

async function listen(answer: RequestListener, host: string): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return server;
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address}:${port}`;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
