import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../../../test/run/until.ts';
import type { ChangeSource } from './change.ts';
import { modeOf, steadyText } from './page-print.ts';
import { pollPages } from './poll-pages.ts';

type Page = { html: () => string; etag?: string; status?: number };

const servers = new Set<Server>();
const stops = new Set<AbortController>();
afterEach(async () => {
  for (const stop of stops) stop.abort();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server whose pages a test changes. */
async function serve(pages: Record<string, Page>, port = 0) {
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    const isSame = page?.etag !== undefined && request.headers['if-none-match'] === page.etag;
    const status = isSame ? 304 : (page?.status ?? (page ? 200 : 404));
    statuses.push(status);
    response.writeHead(status, { connection: 'close', ...(page?.etag && { etag: page.etag }) });
    response.end(isSame ? undefined : page?.html());
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, statuses, port: (server.address() as AddressInfo).port };
}

async function watch(port: number, paths: string[]) {
  const said: string[] = [];
  const stop = new AbortController();
  stops.add(stop);
  const known = paths.map((path) => `http://127.0.0.1:${port}${path}`);
  const source: ChangeSource = pollPages({
    start: known[0]!,
    say: (text) => void said.push(text),
    everyMs: 5,
  });
  const next = () => source.next(known, stop.signal);
  return { said, source, next, ready: () => source.ready(stop.signal), known, stop };
}

test('the pages whose answers change are named, with conditional requests', async () => {
  const pages: Record<string, Page> = {
    '/': { html: () => 'start', etag: '"1"' },
    '/b': { html: () => 'second' },
  };
  const { port, statuses } = await serve(pages);
  const { ready, next, known } = await watch(port, ['/', '/b']);
  await ready();
  const first = next();
  await until(() => statuses.filter((status) => status === 304).length > 2);
  pages['/b'] = { html: () => 'edited' };
  expect(await first).toMatchObject({ pages: [known[1]], isWhole: false });
  pages['/'] = { html: () => 'edited', etag: '"2"' };
  expect((await next()).pages).toEqual([known[0]]);
});

test('a page that changes after a review has found it, and before it is known, has changed', async () => {
  const pages: Record<string, Page> = { '/': { html: () => 'start' }, '/b': { html: () => 'second' } };
  const { port } = await serve(pages);
  const { source, ready, next, known, stop } = await watch(port, ['/', '/b']);
  await ready();
  await source.found(known, stop.signal);
  pages['/b'] = { html: () => 'edited' };
  expect((await next()).pages).toEqual([known[1]]);
});

test('what differs at each request is no change, and a change of the text is one', async () => {
  let count = 0;
  let text = 'start';
  const nonced = () => `<p>${text}</p><script nonce="${count++}">const at = ${count};</script>`;
  const pages: Record<string, Page> = { '/': { html: nonced }, '/b': { html: () => 'second' } };
  const { port, statuses } = await serve(pages);
  const { ready, next, known, said } = await watch(port, ['/', '/b']);
  await ready();
  const changed = next();
  await until(() => statuses.length > 12);
  text = 'edited';
  expect((await changed).pages).toEqual([known[0]]);
  expect(said).toEqual([]);
});

test('a page that cannot be compared is reviewed whenever another one changes, and it is said once', async () => {
  let count = 0;
  const pages: Record<string, Page> = { '/': { html: () => `${count++}` }, '/b': { html: () => 'second' } };
  const { port, statuses } = await serve(pages);
  const { ready, next, known, said } = await watch(port, ['/', '/b']);
  await ready();
  const changed = next();
  await until(() => statuses.length > 12);
  pages['/b'] = { html: () => 'edited' };
  expect((await changed).pages.toSorted()).toEqual(known);
  expect(said).toEqual([
    `${known[0]} differs at each request: it is reviewed whenever another page changes.`,
  ]);
});

test('a server that is away, and a page that fails, are waited for', async () => {
  const pages: Record<string, Page> = { '/': { html: () => 'start' } };
  const { port, server } = await serve(pages);
  const { ready, next, known, said } = await watch(port, ['/']);
  await ready();
  const changed = next();
  server.close();
  await until(() => said.length > 0);
  pages['/'] = { html: () => 'Syntax error', status: 500 };
  await serve(pages, port);
  await until(() => said.length > 1);
  pages['/'] = { html: () => 'edited' };
  expect((await changed).pages).toEqual(known);
  const origin = `http://127.0.0.1:${port}`;
  expect(said).toEqual([
    `${origin} does not answer: waiting for it.`,
    `${origin}/ answers with status 500: waiting for it.`,
    `${origin} answers again.`,
  ]);
});

test('a page that was forgotten counts as changed', async () => {
  const { port } = await serve({ '/': { html: () => 'start', etag: '"1"' } });
  const { ready, next, known, source } = await watch(port, ['/']);
  await ready();
  source.forget(known[0]!);
  expect((await next()).pages).toEqual(known);
});

test('a server that does not run yet is waited for', async () => {
  const { port, server } = await serve({});
  await new Promise((resolve) => server.close(resolve));
  const { ready, said } = await watch(port, ['/']);
  const isReady = ready();
  await until(() => said.length > 0);
  await serve({ '/': { html: () => 'start' } }, port);
  await isReady;
  expect(said).toHaveLength(2);
});

test('scripts, tokens and times in addresses are not compared', () => {
  const page = (n: number) =>
    `<meta name="csrf-token" content="${n}"><link href="/a.css?t=${n}"><!-- ${n} --><p data-request-id="${n}" nonce='${n}'>Text</p><script>${n}</script>`;
  expect(steadyText(page(1))).toBe(steadyText(page(2)));
  expect(steadyText(page(1))).toContain('>Text</p>');
  expect(modeOf(page(1), page(1))).toBe('exact');
  expect(modeOf(page(1), page(2))).toBe('steady');
  expect(modeOf('1', '2')).toBe('never');
});
