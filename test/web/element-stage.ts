import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { type OutputChunk, rolldown } from 'rolldown';
import { atEnd } from '../run/at-end.ts';
import { newTestContext } from '../service/test-browser.ts';
import { holdUndo } from './hold-undo.ts';

const root = join(import.meta.dirname, '../..');
const sources = (path: string) => join(root, 'packages', path);

/** The chunks of a page that uses the elements, as a bundler makes them. */
export async function bundleElements(input: Record<string, string>): Promise<OutputChunk[]> {
  const bundled = await rolldown({
    input,
    cwd: root,
    platform: 'browser',
    resolve: {
      alias: { '@redpen/client': sources('client/src/index.ts') },
      conditionNames: ['import', 'default'],
    },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundled.generate({ minify: true, format: 'es', entryFileNames: '[name].js' });
  await bundled.close();
  return output.filter((file) => file.type === 'chunk');
}

/** Everything is forbidden that the elements do not need: also styles, and markup that is made of strings. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src *; img-src 'self' data: blob:; style-src 'none'; " +
  "require-trusted-types-for 'script'; base-uri 'none'";

export interface Look {
  theme?: 'light' | 'dark';
  locale?: string;
  width?: number;
  forcedColors?: 'active' | 'none';
}

export interface ElementStage {
  url: string;
  /** Opens a page with a provider, in a browser profile of its own. */
  open(look?: Look): Promise<Page>;
}

/** A drawing in the place of the picture of a page. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="1500"><rect width="1280" height="1500" fill="#fff"/>
<rect width="1280" height="90" fill="#1f3a5f"/><rect x="60" y="200" width="700" height="30" fill="#ddd"/></svg>`;

/** A service that the server of the page calls for it, with credentials of its own. */
export interface Backend {
  url: string;
  headers: Record<string, string>;
}

async function forward(request: IncomingMessage, response: ServerResponse, { url, headers }: Backend) {
  const answer = await fetch(`${url}${request.url}`, {
    method: request.method ?? 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: await text(request),
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}

/** A page of another origin than the service, with a strict policy, until the end of the file. `entry` is a module of the test. */
export async function startElementStage(entry: string, backend?: Backend): Promise<ElementStage> {
  const chunks = await bundleElements({ page: join(import.meta.dirname, entry) });
  const scripts = new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (backend && pathname.startsWith('/v2/')) return void forward(request, response, backend);
    const script = scripts.get(pathname);
    if (script !== undefined) return response.setHeader('content-type', 'text/javascript').end(script);
    if (pathname === '/picture.svg') return response.setHeader('content-type', 'image/svg+xml').end(PICTURE);
    return response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('content-security-policy', POLICY)
      .end(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script><main><h1>Page</h1><rp-provider></rp-provider></main></html>',
      );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    async open({ theme = 'light', locale = 'en', width = 1280, forcedColors = 'none' } = {}) {
      const viewport = { width, height: 900 };
      const context = await newTestContext({ viewport, forcedColors, reducedMotion: 'reduce' });
      await holdUndo(context);
      const page = await context.newPage();
      await page.goto(`${url}?${new URLSearchParams({ theme, locale })}`);
      await page.waitForFunction(() => 'ready' in document.documentElement.dataset);
      return page;
    },
  };
}
