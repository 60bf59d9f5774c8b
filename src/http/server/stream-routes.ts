import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { invalidArgument } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import { requireStorable } from '../../lib/text/storable-json.ts';
import { detached } from '../../lib/tracing/tracing.ts';
import { allowOrigin, allowPreflight } from '../request/cors.ts';
import type { KnownCaller } from '../request/known-caller.ts';
import { createOwnAddress } from '../request/own-address.ts';
import { parseData } from '../request/parse.ts';
import type { StreamRoute } from '../stream-route.ts';

const ALLOWED_HEADERS = 'authorization, cache-control, last-event-id, x-redpen-assistant, x-request-id';

/** Serves a stream of server-sent events to backends and users. */
export function addStreamRoute<Query extends z.ZodObject>(
  app: FastifyInstance,
  deps: Pick<Deps, 'settings' | 'log'>,
  { path, query: schema, open }: StreamRoute<Query>,
): void {
  const ownAddress = createOwnAddress(deps);
  allowPreflight(app, path, { method: 'GET', headers: ALLOWED_HEADERS });
  app.get(path, {
    config: { identifies: true },
    onRequest: async (request, reply) => {
      // The log gets the path alone: the query may hold a token.
      request.operation = path;
      allowOrigin(request, reply);
      await app.identify(request, reply, 'apiKeyOrUser', {
        headers: withQueryToken(request),
        isStream: true,
      });
    },
    handler: async (request, reply) => {
      const fields = { ...(request.query as Record<string, unknown>) };
      requireStorable(fields);
      const query = parseData(schema, fields);
      const caller = request.caller as Caller & Pick<KnownCaller, 'authTokenId'>;
      const begin = await app.inTurn(request, reply, () =>
        open({
          caller,
          query,
          origin: ownAddress(request),
          lastEventId: positionOf(request) ?? ((query.lastEventId as string) || undefined),
        }),
      );
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Proxies that buffer responses would hold back every event.
        'x-accel-buffering': 'no',
      });
      // A stream lasts for hours, in which it is no longer a part of the request.
      detached(() => begin(reply.raw));
    },
  });
}

const positionOf = ({ headers }: FastifyRequest): string | undefined => {
  const header = headers['last-event-id'];
  return typeof header === 'string' && header !== '' ? header : undefined;
};

/** Headers with the token of the query (RFC 6750 2.3). Throws if credentials are sent twice. */
function withQueryToken({ headers, query }: FastifyRequest): FastifyRequest['headers'] {
  const token = (query as Record<string, unknown>).access_token;
  if (token === undefined) return headers;
  const others = ['authorization', 'x-service-api-key', 'x-service-auth-token'];
  if (others.some((name) => headers[name] !== undefined)) {
    throw invalidArgument('Credentials must be sent once: in headers, or as access_token.');
  }
  return { ...headers, authorization: `Bearer ${String(token)}` };
}
