import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../lib/network.ts';
import { version } from '../../lib/version.ts';
import { CallerBuckets } from '../limits/caller-buckets.ts';
import { findGuides, type Guide, renderGuide } from './guides.ts';
import { buildOpenApi, type Routes } from './openapi.ts';
import { REFERENCE_SCRIPT } from './reference-script.ts';

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

const navigation = (guides: readonly Guide[]): string =>
  `<nav id="guides" aria-label="Guides">Guides:${guides.map(({ name, title }) => `<a href="docs/guides/${name}">${title}</a>`).join('')}</nav>\n`;

// The addresses are relative, so that the page also works behind a proxy that serves it under a prefix.
const page = (guides: readonly Guide[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Redpen API</title>
<style>
#guides { max-width: 1460px; margin: 0 auto; padding: 20px 20px 0; font: 15px/1.6 system-ui, sans-serif; box-sizing: border-box; }
#guides a { margin-left: 1rem; color: #1257b3; }
.swagger-ui .failure { width: 100%; padding: 0; border: 0; background: none; color: inherit; font: 14px/1.4 sans-serif; text-align: left; cursor: pointer; }
.swagger-ui .failure::before { content: '▸'; display: inline-block; width: 1.2em; }
.swagger-ui .failure[aria-expanded=true]::before { content: '▾'; }
.swagger-ui tr.closed-failure td { padding: 6px 0; vertical-align: middle; }
</style>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
${guides.length === 0 ? '' : navigation(guides)}<div id="reference"></div>
<noscript>This page needs JavaScript. The same reference as data: <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Swagger UI sets inline styles, so style-src must allow them. Nothing is loaded from other origins.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Asset {
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

const prepare = async (bytes: Buffer): Promise<Asset> => ({
  bytes,
  gzipped: await promisify(gzip)(bytes),
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
});

/** Prepares an asset on the first request. A failure is not cached. */
function once(read: () => Promise<Buffer>): () => Promise<Asset> {
  let asset: Promise<Asset> | undefined;
  return () => {
    asset ??= read().then(prepare);
    asset.catch(() => {
      asset = undefined;
    });
    return asset;
  };
}

function sendAsset({ headers }: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.header('etag', asset.etag).header('vary', 'accept-encoding');
  if (headers['if-none-match']?.includes(asset.etag)) return reply.code(304).send();
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers['accept-encoding'] ?? '')))
    return reply.send(asset.bytes);
  return reply.header('content-encoding', 'gzip').send(asset.gzipped);
}

/** Serves the reference: the OpenAPI document at /openapi.json, Swagger UI at /docs. */
export async function addReference(app: FastifyInstance, routes: Routes, publicUrl?: string): Promise<void> {
  // The document is about a megabyte, so it has a rate limit of its own.
  const rate = new CallerBuckets({
    policy: 'reference',
    perSecond: 20,
    windowSeconds: 5,
    share: () => 1,
    refusal: (quota) => `Too many requests for the reference: an address may send ${quota} in a second.`,
  });
  const serve = (
    path: string,
    mimeType: string,
    maxAge: number,
    asset: () => Promise<Asset>,
    headers: Record<string, string> = {},
  ) =>
    app.get(path, async (request, reply) => {
      rate.take(networkOf(request.ip), reply);
      reply.headers(headers).header('cache-control', `public, max-age=${maxAge}`).type(mimeType);
      return sendAsset(request, reply, await asset());
    });
  serve(
    '/openapi.json',
    'application/json; charset=utf-8',
    0,
    once(async () => Buffer.from(JSON.stringify(buildOpenApi(routes, publicUrl)))),
  );
  app.get('/', async ({ headers: { accept = '' } }, reply) => {
    reply.header('vary', 'accept');
    // Relative, so that it also works behind a proxy that serves the service under a path prefix.
    if (/\btext\/html\b/.test(accept)) return reply.redirect('docs', 302);
    return reply.send({
      result: {
        status: 'success',
        message: `This is Redpen ${version}. Its reference is at docs.`,
        data: { version, reference: 'docs', openapi: 'openapi.json', health: 'health' },
      },
    });
  });
  const guides = findGuides();
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page(guides)),
  );
  for (const guide of guides) {
    const asset = once(async () =>
      Buffer.from(await renderGuide(guide, await readFile(guide.file, 'utf8'), guides)),
    );
    serve(`/docs/guides/${guide.name}`, 'text/html; charset=utf-8', 0, asset, {
      'content-security-policy': POLICY,
    });
  }
  app.get('/docs/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(REFERENCE_SCRIPT),
  );
  for (const [name, mimeType] of Object.entries(ASSETS)) {
    serve(
      `/docs/${name}`,
      mimeType,
      3_600,
      once(() => readFile(join(PACKAGE, name))),
    );
  }
}
