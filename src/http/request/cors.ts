import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key, x-request-id';
const EXPOSED_HEADERS = 'x-request-id, idempotent-replayed, retry-after, ratelimit, ratelimit-policy';
const PREFLIGHT_SECONDS = '7200';

/**
 * Lets pages of other origins call an operation that takes user tokens (CORS, Fetch Standard 3.2). Every origin
 * may ask: a token goes in a header that no browser adds by itself, and whether a page may use it is checked
 * against the API key's domains once the token is known. The headers of an API key are not among those allowed.
 */
export function openToBrowsers(
  app: FastifyInstance,
  path: string,
  { method = 'POST', headers = ALLOWED_HEADERS } = {},
): void {
  // No browser sends a body with a preflight, and what another sends counts for no caller.
  app.options(path, { bodyLimit: 1 }, async (request, reply) => {
    allowOrigin(request, reply);
    return reply
      .code(204)
      .header('access-control-allow-methods', method)
      .header('access-control-allow-headers', headers)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .send();
  });
}

/** Lets the page that asks read the answer, a failure too. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'origin');
  if (request.headers.origin === undefined) return;
  reply.header('access-control-allow-origin', request.headers.origin);
  reply.header('access-control-expose-headers', EXPOSED_HEADERS);
}
