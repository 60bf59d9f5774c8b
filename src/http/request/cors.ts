import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS =
  'authorization, content-type, idempotency-key, x-redpen-assistant, x-redpen-strict, x-request-id';
const EXPOSED_HEADERS = 'x-request-id, idempotent-replayed, retry-after, ratelimit, ratelimit-policy';
const PREFLIGHT_SECONDS = '7200';

/**
 * Answers CORS preflights (Fetch Standard 3.2) of an operation that takes user tokens. Every origin is allowed: no
 * browser adds the header of the token automatically, and the origin is checked against the API key's domains once the token
 * is known. The headers of an API key are not allowed.
 *
 * `@fastify/cors` answers preflights for all paths by a wildcard route, hence also for operations that take no user
 * tokens, and before requests are counted.
 */
export function allowPreflight(
  app: FastifyInstance,
  path: string,
  { method = 'POST', headers = ALLOWED_HEADERS } = {},
): void {
  // Browsers send no body with a preflight.
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

/** Lets the requesting page read the response, including failures. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', 'origin');
  if (request.headers.origin === undefined) return;
  reply.header('access-control-allow-origin', request.headers.origin);
  reply.header('access-control-expose-headers', EXPOSED_HEADERS);
}
