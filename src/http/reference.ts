import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from './endpoint.ts';
import type { FileRoute } from './file-routes.ts';
import { buildOpenApi } from './openapi.ts';

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

// The addresses are relative, so that the page also works behind a proxy that serves it under a prefix.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Redpen API</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same reference as data: <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

// The page's own styles are set by script, which style-src has to allow; nothing comes from elsewhere.
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

/** Serves the reference of all operations: for programs at /openapi.json, for people at /docs. */
export async function addReference(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  files: readonly FileRoute[],
  publicUrl?: string,
): Promise<void> {
  let document: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi(endpoints, files, publicUrl));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
  );
  app.get('/docs/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  for (const [name, mimeType] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .type(mimeType)
        .send(await readFile(join(PACKAGE, name))),
    );
  }
}
