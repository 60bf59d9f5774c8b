import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors.ts';
import { protectPage } from './console-policy.ts';
import { linkPageFiles } from './page-files.ts';
import { printWaitingPage } from './waiting-page.ts';
import type { WebApp, WebFile, WebState } from './web-app.ts';

const HTML = 'text/html; charset=utf-8';
const INDEX = 'console/index.html';
const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATED = 'public, no-cache';
const RETRY_SECONDS = 2;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves the console at /console, and the scripts for pages of other origins at /client. */
export function addConsole(app: FastifyInstance, web: WebApp): void {
  const get = (url: string, handler: Handler) => app.route({ method: ['GET', 'HEAD'], url, handler });
  const page: Handler = async (request, reply) => sendPage(request, reply, await web.state());
  const file: Handler = async (request, reply) => sendFile(request, reply, await web.state());
  get('/console', page);
  get('/console/', page);
  get('/console/*', async (request, reply) => {
    const path = pathOf(request);
    const state = await web.state();
    const isFile = path.startsWith('/console/assets/') || (state.state === 'ready' && fileAt(state, path));
    // The addresses of the console are its own matter: its script looks at them.
    return !isFile && wantsPage(request) ? sendPage(request, reply, state) : sendFile(request, reply, state);
  });
  get('/client/*', async (request, reply) => {
    // Pages of every origin load these scripts, also those that isolate themselves from other origins.
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    return file(request, reply);
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0]!;
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/.test(accept);

/** The page itself is no file, because each response has its own. */
const fileAt = ({ files }: WebState & { state: 'ready' }, path: string): WebFile | undefined =>
  path === `/${INDEX}` ? undefined : files.get(path.slice(1));

const printPage = (path: string, state: WebState): string =>
  state.state === 'ready'
    ? linkPageFiles(state.files.get(INDEX)!.bytes.toString(), path, state.files)
    : printWaitingPage(state);

function sendPage(request: FastifyRequest, reply: FastifyReply, state: WebState): FastifyReply {
  const path = pathOf(request);
  const { html, headers } = protectPage(path, printPage(path, state), state.state !== 'ready');
  const code = state.state === 'failed' ? 503 : 200;
  return reply.code(code).headers(headers).type(HTML).send(html);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, state: WebState): FastifyReply {
  if (state.state === 'building') {
    throw new ApiError('UNAVAILABLE', 'The console is being built.', { retryAfterSeconds: RETRY_SECONDS });
  }
  if (state.state === 'failed') throw new ApiError('UNAVAILABLE', state.reason);
  const file = fileAt(state, pathOf(request));
  if (file === undefined) {
    reply.callNotFound();
    return reply;
  }
  reply
    .header('etag', file.etag)
    .header('cache-control', file.isImmutable || namesVersion(request, file) ? FOREVER : REVALIDATED)
    .header('vary', 'accept-encoding')
    .type(file.mimeType);
  if (has(request, file)) return reply.code(304).send();
  if (file.br && accepts(request, 'br')) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && accepts(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.bytes);
}

/** True if the address contains the version of the file, such as `overlay.js?v=…`. */
const namesVersion = ({ query }: FastifyRequest, { etag }: WebFile): boolean =>
  `"${(query as { v?: unknown }).v}"` === etag;

const has = ({ headers }: FastifyRequest, { etag }: WebFile): boolean => {
  const held = headers['if-none-match'];
  return held !== undefined && (held.trim() === '*' || held.includes(etag));
};

/** True if the accept-encoding header names an encoding, and not with the weight 0. */
const accepts = ({ headers }: FastifyRequest, encoding: string): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((part) => {
      const [name, ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
