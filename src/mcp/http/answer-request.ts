import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
  type McpRequestContext,
  type Server,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from '../../../packages/client/src/errors.ts';
import type { Deps } from '../../deps.ts';
import { unavailable } from '../../lib/errors.ts';
import { asList, asObject } from '../../lib/json.ts';
import { createMcpServer } from '../protocol/mcp-server.ts';
import { injectingFetch } from '../service/inject-fetch.ts';
import { reachService, type Service } from '../service/reach-service.ts';
import { toolCalls } from './tool-metrics.ts';
import { watchResources } from './watch-resources.ts';
import { sendWebResponse, webRequestOf } from './web-bridge.ts';

const LISTEN = 'subscriptions/listen';
/** Headers that say who the caller is, and on which page. */
const CREDENTIALS = [
  'authorization',
  'x-service-api-key',
  'x-service-auth-token',
  'origin',
  'sec-fetch-site',
] as const;

export interface Serving {
  app: FastifyInstance;
  log: Deps['log'];
  /** Subscriptions, which go on until they are closed. */
  open: Set<Pick<McpHttpHandler, 'close'>>;
  isReadOnly: boolean;
  bodyBytes: number;
  /** Operations that a request calls at once. */
  atOnce: number;
}

/** Answers a request of an authenticated caller. */
export async function answerRequest(
  { app, log, open, isReadOnly, bodyBytes, atOnce }: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const reach = reaching(request, injectingFetch(app, { remoteAddress: request.ip, atOnce }));
  const onCall = (call: { tool: string; assistant: string; status: string }) => {
    toolCalls.inc({ tool: call.tool, status: call.status });
    log.info({ ...call, requestId: request.id, apiKeyId: request.caller?.apiKeyId }, 'tool called');
  };
  const create = ({ era }: McpRequestContext): Server =>
    createMcpServer({
      reach,
      isReadOnly,
      subscribes: era === 'modern',
      stopping: app.closing,
      onCall,
    });
  const onerror = (error: Error) =>
    log.debug({ err: error, requestId: request.id }, 'request of an assistant');
  // A bus of its own keeps the changes that one caller may see from all others.
  const bus = new InMemoryServerEventBus();
  const handler = createMcpHandler(create, { bus, maxRequestBodySize: bodyBytes, onerror });
  const asked = webRequestOf(request, reply);
  const uris = subscribedUris(request.body as Buffer | undefined);
  if (uris) {
    open.add(handler);
    reply.raw.once('close', () => open.delete(handler));
  }
  if (uris && uris.length > 0) {
    const signal = AbortSignal.any([asked.signal, app.closing]);
    const onError = onerror as (error: unknown) => void;
    // Before the answer, so that the client misses no change after it.
    await watchResources(uris, reach(undefined, signal), {
      onChange: handler.notify.resourceUpdated,
      onError,
      signal,
    });
  }
  if (app.closing.aborted) throw unavailable('The service is stopping.');
  return await sendWebResponse(reply, await handler.fetch(asked));
}

/** Reaches the operations of this process with the credentials of a request. */
const reaching =
  (request: FastifyRequest, inject: typeof fetch) =>
  (client: string | undefined, signal: AbortSignal): Service => {
    const { host = '' } = request;
    const sent = CREDENTIALS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return reachService({
      baseUrl: 'http://redpen.internal',
      fetch: inject,
      credentials: { ...Object.fromEntries(sent), host, 'x-request-id': request.id },
      assistant: client ?? request.caller?.assistant,
      signal,
      isPerson: request.caller?.member !== undefined || request.caller?.user !== undefined,
    });
  };

/** The resources that a request subscribes to; undefined for a request that opens no subscription. */
function subscribedUris(body: Buffer | undefined): string[] | undefined {
  const { method, params } = asObject(parse(body?.toString() ?? ''));
  const { resourceSubscriptions } = asObject(asObject(params).notifications);
  if (method !== LISTEN) return undefined;
  return asList(resourceSubscriptions).filter((uri) => typeof uri === 'string');
}
