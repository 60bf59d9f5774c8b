import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../lib/network.ts';
import { version } from '../../lib/version.ts';
import { CallerBuckets } from '../limits/caller-buckets.ts';
import { buildOpenApi, type Routes } from '../openapi/openapi.ts';
import { exampleDataOf } from './example-data.ts';
import { findApiText, findGuides, type Guide, renderGuide } from './guides.ts';
import { printLlmsIndex, printLlmsText } from './llms.ts';
import { ICON, printGuide, printReference, STYLE } from './page.ts';
import { loadScalarScript } from './scalar-script.ts';
import { listSearchEntries } from './search-entries.ts';

// Scalar sets inline styles, so style-src must allow them. Nothing is loaded from other origins.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';

const HOUR = 3_600;

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
function once(read: () => Promise<Buffer | string>): () => Promise<Asset> {
  let asset: Promise<Asset> | undefined;
  return () => {
    asset ??= read().then((content) => prepare(Buffer.from(content)));
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

type Serve = (
  path: string,
  mimeType: string,
  read: () => Promise<Buffer | string>,
  options?: { maxAge?: number },
) => void;

/** Files of the installation by their addresses. */
const FILES: Readonly<Record<string, string>> = {
  'search.js': join(import.meta.dirname, 'browser/search.js'),
  'try-it.js': join(import.meta.dirname, 'browser/try-it.js'),
  'reference.js': join(import.meta.dirname, 'browser/reference.js'),
  'minisearch.js': fileURLToPath(import.meta.resolve('minisearch')),
};

interface DocsOptions {
  /** URL at which callers reach the service, if it is known. */
  publicUrl?: string | undefined;
  /** Path to which the root leads people. */
  start?: 'console' | 'docs';
}

/**
 * Serves the documentation: the reference at /docs, the guides below it, the OpenAPI document at /openapi.json, and the
 * texts for language models. Every file is made by its first request.
 */
export async function addDocs(
  app: FastifyInstance,
  routes: Routes,
  { publicUrl, start = 'docs' }: DocsOptions = {},
): Promise<void> {
  // The document and the script of the reference have megabytes, so they have a rate limit of their own.
  const rate = new CallerBuckets({
    policy: 'reference',
    perSecond: 20,
    windowSeconds: 5,
    share: () => 1,
    refusal: (quota) => `Too many requests for the reference: an address may send ${quota} in a second.`,
  });
  const serve: Serve = (path, mimeType, read, { maxAge = 0 } = {}) => {
    const asset = once(read);
    app.get(path, async (request, reply) => {
      rate.take(networkOf(request.ip), reply);
      if (mimeType === HTML) reply.header('content-security-policy', POLICY);
      reply.header('cache-control', `public, max-age=${maxAge}`).type(mimeType);
      return sendAsset(request, reply, await asset());
    });
  };
  const guides = findGuides();
  serve('/openapi.json', JSON_TYPE, async () => JSON.stringify(buildOpenApi(routes, publicUrl)));
  serve('/docs', HTML, async () => printReference(guides));
  serve('/docs/site.css', 'text/css; charset=utf-8', async () => STYLE, { maxAge: HOUR });
  serve('/docs/icon.svg', 'image/svg+xml', async () => ICON, { maxAge: HOUR });
  serve('/docs/scalar.js', SCRIPT, loadScalarScript, { maxAge: HOUR });
  serve('/docs/example-data.json', JSON_TYPE, async () => JSON.stringify(exampleDataOf(routes.endpoints)));
  for (const [name, file] of Object.entries(FILES)) {
    serve(`/docs/${name}`, SCRIPT, () => readFile(file), { maxAge: name === 'minisearch.js' ? HOUR : 0 });
  }
  app.get('/docs/', (_, reply) => reply.redirect('../docs', 308));
  addGuides(serve, guides, routes);
  addRoot(app, start);
}

function addGuides(serve: Serve, guides: readonly Guide[], { endpoints }: Routes): void {
  const read = async (guide: Guide) => renderGuide(await readFile(guide.file, 'utf8'));
  for (const guide of guides) {
    serve(`/docs/guides/${guide.name}`, HTML, async () => printGuide(guide, await read(guide), guides));
    serve(`/docs/guides/${guide.name}.md`, MARKDOWN, () => readFile(guide.file));
  }
  serve('/docs/search.json', JSON_TYPE, async () => {
    const rendered = await Promise.all(
      guides.map(async (guide) => ({ guide, sections: (await read(guide)).sections })),
    );
    return JSON.stringify(listSearchEntries(rendered, endpoints));
  });
  const apiText = findApiText();
  if (apiText !== undefined) serve('/docs/api.md', MARKDOWN, () => readFile(apiText));
  serve('/llms.txt', PLAIN, async () => printLlmsIndex(guides, apiText !== undefined));
  serve('/llms-full.txt', PLAIN, async () => {
    const files = [...guides.map(({ file }) => file), ...(apiText === undefined ? [] : [apiText])];
    return printLlmsText(await Promise.all(files.map((file) => readFile(file, 'utf8'))));
  });
}

function addRoot(app: FastifyInstance, start: string): void {
  app.get('/', async ({ headers: { accept = '' } }, reply) => {
    reply.header('vary', 'accept');
    // Relative, so that it also works behind a proxy that serves the service under a path prefix.
    if (/\btext\/html\b/.test(accept)) return reply.redirect(start, 302);
    return reply.send({
      result: {
        status: 'success',
        message: `This is Redpen ${version}. Its reference is at docs.`,
        data: { version, reference: 'docs', openapi: 'openapi.json', health: 'health' },
      },
    });
  });
}
