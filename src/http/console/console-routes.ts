import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors.ts';
import { protectPage } from './console-policy.ts';
import { printWaitingPage } from './waiting-page.ts';
import type { WebApp, WebFile } from './web-app.ts';

const HTML = 'text/html; charset=utf-8';
const INDEX = 'console/index.html';
const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATED = 'public, no-cache';

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0]!;
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/.test(accept);

/** True if an accept-encoding header names an encoding, and not with weight 0. */
const accepts = ({ headers }: FastifyRequest, encoding: string): boolean =>
  new RegExp(`(?:^|[\\s,])${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`).test(
    String(headers['accept-encoding'] ?? ''),
  );

/** Serves the console at /console, and the scripts for pages of other origins at /client. */
export function addConsole(app: FastifyInstance, web: WebApp): void {
  const get = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) => app.route({ method: ['GET', 'HEAD'], url, handler });

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const state = await web.state();
    const isReady = state.state === 'ready';
    const built = isReady ? state.files.get(INDEX)!.bytes.toString() : printWaitingPage(state);
    const { html, headers } = protectPage(pathOf(request), built);
    // Each response has a nonce of its own, so that no copy of it may be kept.
    return reply
      .code(state.state === 'failed' ? 503 : 200)
      .headers(headers)
      .type(HTML)
      .send(html);
  };
  const file = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request).slice(1);
    const state = await web.state();
    const found = state.state === 'ready' ? state.files.get(path) : undefined;
    if (found) return sendFile(request, reply, found, found.isImmutable ? FOREVER : REVALIDATED);
    if (path.startsWith('console/') && !path.startsWith('console/assets/') && wantsPage(request))
      return page(request, reply);
    if (state.state === 'ready') {
      reply.callNotFound();
      return reply;
    }
    throw state.state === 'building'
      ? new ApiError('UNAVAILABLE', 'The console is being built.', { retryAfterSeconds: 2 })
      : new ApiError('UNAVAILABLE', state.reason);
  };
  get('/console', page);
  get('/console/', page);
  get('/console/*', file);
  get('/client/*', async (request, reply) => {
    // Pages of every origin load these scripts, also those that isolate themselves from other origins.
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    return file(request, reply);
  });
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  cacheControl: string,
): FastifyReply {
  reply
    .header('etag', file.etag)
    .header('cache-control', cacheControl)
    .header('vary', 'accept-encoding')
    .type(file.mimeType);
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send();
  if (file.br && accepts(request, 'br')) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && accepts(request, 'gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.bytes);
}
