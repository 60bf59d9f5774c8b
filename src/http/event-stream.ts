import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidArgument } from '../lib/errors.ts';
import type { Caller } from '../lib/scope.ts';
import { requireStorable } from '../lib/text/storable-json.ts';
import { families, familyOf, isEventOrFamily, liveEventNames } from '../realtime/feed/event-names.ts';
import type { Feed } from '../realtime/feed/feed.ts';
import { documentId, organizationId } from '../shapes/id-fields.ts';
import type { Known } from './authenticate.ts';
import { allowOrigin, openToBrowsers } from './cors.ts';
import { parseData } from './parse.ts';

export const EVENT_STREAM_PATH = '/v2/events';
const ALLOWED_HEADERS = 'authorization, cache-control, last-event-id, x-request-id';

const names = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const words = text.split(',').map((word) => word.trim());
    const unknown = words.filter((word) => !isEventOrFamily(word));
    for (const word of unknown) {
      context.addIssue({
        code: 'custom',
        message: `events must name events, or families of them (${families.join(', ')}): ${JSON.stringify(word)} is neither.`,
      });
    }
    return new Set<string>(
      liveEventNames.filter((name) => words.includes(name) || words.includes(familyOf(name))),
    );
  });

/** What is asked for, as the query says it. */
export const eventStreamQuery = z.strictObject({
  organizationId,
  documentId: documentId
    .optional()
    .describe('Only what concerns this document. By default all that may be read.'),
  events: names
    .optional()
    .describe(
      'Only these events, comma-separated: their names, or the first part of their names, such as `comment` or `presence`.',
    ),
  lastEventId: z
    .string()
    .optional()
    .describe('Where to go on, where the `last-event-id` header cannot be set; that header goes before it.'),
  access_token: z
    .string()
    .optional()
    .describe(
      'The user token, where the `authorization` header cannot be set, as in `EventSource` of browsers.',
    ),
});

interface Parts {
  feed: Feed;
}

/** Serves live events, as server-sent events (WHATWG HTML 9.2), to backends and to users. */
export function addEventStream(app: FastifyInstance, { feed }: Parts): void {
  openToBrowsers(app, EVENT_STREAM_PATH, { method: 'GET', headers: ALLOWED_HEADERS });
  app.get(EVENT_STREAM_PATH, {
    config: { identifies: true },
    onRequest: async (request, reply) => {
      // The query may hold a token, which is nothing for a log.
      request.operation = EVENT_STREAM_PATH;
      allowOrigin(request, reply);
      await app.identify(request, reply, 'apiKeyOrUser', {
        headers: withQueryToken(request),
        isStream: true,
      });
    },
    handler: async (request, reply) => {
      const query = { ...(request.query as Record<string, unknown>) };
      requireStorable(query);
      const { organizationId, documentId, events, lastEventId } = parseData(eventStreamQuery, query);
      const viewer = {
        ...(request.caller as Caller & Required<Pick<Known, 'authTokenId'>>),
        organizationId,
        documentId,
        names: events,
      };
      const begin = await app.inTurn(request, reply, () =>
        feed.open(viewer, positionOf(request) ?? (lastEventId || undefined)),
      );
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Proxies that gather answers before they pass them on would hold up every event.
        'x-accel-buffering': 'no',
      });
      begin(reply.raw);
    },
  });
}

const positionOf = ({ headers }: FastifyRequest): string | undefined => {
  const header = headers['last-event-id'];
  return typeof header === 'string' && header !== '' ? header : undefined;
};

/** A token in the query counts as one in the header (RFC 6750 2.3), and there must be only one. */
function withQueryToken({ headers, query }: FastifyRequest): FastifyRequest['headers'] {
  const token = (query as Record<string, unknown>).access_token;
  if (token === undefined) return headers;
  const others = ['authorization', 'x-service-api-key', 'x-service-auth-token'];
  if (others.some((name) => headers[name] !== undefined)) {
    throw invalidArgument('Credentials must be sent once: in headers, or as access_token.');
  }
  return { ...headers, authorization: `Bearer ${String(token)}` };
}
