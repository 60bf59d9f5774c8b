import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isOutOfSpace, isTooLongForIndex, isUnavailable } from '../db/faults.ts';
import type { Deps } from '../deps.ts';
import { ApiError, invalidArgument, resourceExhausted } from '../lib/errors.ts';
import { countUse } from '../store/rate-counters.ts';
import { answer, listenForRevocations } from './answer.ts';
import type { Authenticator, Known } from './authenticate.ts';
import { answerBrokenRequest, answerOddRequests } from './bare-answers.ts';
import { allowOrigin, openToBrowsers } from './browsers.ts';
import { drain } from './drain.ts';
import type { Endpoint } from './endpoint.ts';
import { failure, failureOf, httpStatus } from './envelope.ts';
import { addFileRoute, type FileRoute } from './file-routes.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { parseData, readData } from './parse.ts';
import { addProbes, type Probes } from './probes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Known | undefined;
    operation?: string;
  }
}

interface Parts {
  deps: Deps;
  endpoints: readonly Endpoint[];
  files: readonly FileRoute[];
  probes: Probes;
  authenticator: Authenticator;
  /** Called after an operation that may have changed something. */
  onWritten?: (() => void) | undefined;
}

const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const MINUTE_MS = 60_000;

/** The HTTP server, not listening yet. Every answer, also to broken requests, is in the envelope. */
export async function createServer(parts: Parts): Promise<FastifyInstance> {
  const { deps, endpoints, files, probes, authenticator } = parts;
  const app = Fastify({
    logger: false,
    bodyLimit: deps.settings.bodyLimitBytes,
    trustProxy: deps.settings.trustProxy.length > 0 ? deps.settings.trustProxy : false,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    // Left to Node, such a request is refused without a word.
    // A user token that names many resources takes more room than Node gives headers by itself.
    http: {
      requireHostHeader: false,
      maxHeaderSize: 65_536,
      // Some clients offer HTTP/2 with every request, which is then answered as if they had not.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    keepAliveTimeout: 72_000,
    // A client that keeps its connection must not hold up a stop.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && SANE_REQUEST_ID.test(own) ? own : randomUUID();
    },
    frameworkErrors: (error, request, reply) =>
      fail(error, request as FastifyRequest, reply as FastifyReply, deps),
    clientErrorHandler: answerBrokenRequest,
  });
  answerOddRequests(app.server);
  const stopListening = await listenForRevocations(deps, authenticator);
  const metrics = createMetrics(deps.db);
  app.addHook('onClose', stopListening);
  const closing = new AbortController();
  app.addHook('preClose', () => {
    closing.abort();
    return drain(app.server);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => record(request, reply, deps, metrics));
  app.setErrorHandler((error, request, reply) => fail(error, request, reply, deps));
  app.setNotFoundHandler((request, reply) => {
    reply
      .code(404)
      .send(failureOf('NOT_FOUND', `There is no operation ${request.method} ${pathOf(request)}.`));
  });

  for (const endpoint of endpoints) addEndpoint(app, parts, endpoint, closing.signal);
  for (const file of files) addFileRoute(app, deps, authenticator, file);
  addProbes(app, deps, metrics, probes);
  return app;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0]!.slice(0, 200);

function addEndpoint(
  app: FastifyInstance,
  { deps, authenticator, onWritten }: Parts,
  endpoint: Endpoint,
  closing: AbortSignal,
): void {
  const paths = typeof endpoint.path === 'string' ? [endpoint.path] : endpoint.path;
  for (const path of paths) {
    if (endpoint.auth === 'apiKeyOrUser') openToBrowsers(app, path);
    app.post(path, {
      ...(endpoint.bodyLimitBytes && { bodyLimit: endpoint.bodyLimitBytes }),
      // Before the body is read: who is not known need not be listened to.
      onRequest: async (request, reply) => {
        request.operation = path;
        if (endpoint.auth === 'apiKeyOrUser') allowOrigin(request, reply);
        request.caller = await authenticator.authenticate(request.headers, endpoint.auth);
      },
      handler: async (request, reply) => {
        requireJson(request);
        const data = parseData(
          endpoint.data,
          readData(request.body as Uint8Array | undefined, endpoint.dataOptional ?? false),
        );
        if (endpoint.rateLimit) await limitRate(deps, endpoint, request, reply);
        const { statusCode, body, replayed } = await answer(deps, authenticator, {
          endpoint,
          path,
          data,
          caller: request.caller,
          requestId: request.id,
          clientIp: request.ip,
          origin: originOf(request),
          idempotencyKey: endpoint.kind === 'read' ? undefined : idempotencyKeyOf(request),
          untilGone: () => AbortSignal.any([closing, goneSignal(reply)]),
        });
        if (endpoint.kind !== 'read') onWritten?.();
        if (replayed) reply.header('idempotent-replayed', 'true');
        return reply.code(statusCode).send(body);
      },
    });
  }
}

const SANE_HOST = /^[\w.:[\]-]{1,255}$/;

/** Where the service was asked, as far as it and the proxies that it trusts know; empty where that is no host. */
const originOf = (request: FastifyRequest): string =>
  SANE_HOST.test(request.host) ? `${request.protocol}://${request.host}` : '';

/** Aborted once the connection of a request is closed, or its answer is out. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  if (reply.raw.closed) gone.abort();
  return gone.signal;
}

const notJson = () => invalidArgument('The content-type header must be application/json.');

function requireJson(request: FastifyRequest): void {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) throw notJson();
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw invalidArgument('The request body must not be compressed.');
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw invalidArgument('The idempotency-key header must be 1 to 255 printable ASCII characters.');
  }
  return key;
}

async function limitRate(
  deps: Deps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { name, per = 'address', perMinute, message } = endpoint.rateLimit!;
  const limit = perMinute(deps.settings);
  const whose = per === 'apiKey' ? request.caller!.apiKeyId! : networkOf(request.ip);
  const { used, resetMs } = await countUse(deps.db, `${name} ${whose}`, MINUTE_MS, Date.now());
  const resetSeconds = Math.ceil(resetMs / 1_000);
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', Math.max(0, limit - used));
  reply.header('ratelimit-reset', resetSeconds);
  reply.header('ratelimit-policy', `${limit};w=60`);
  if (used > limit) throw resourceExhausted(message, resetSeconds);
}

/** One caller has a whole /64 of IPv6 addresses, so that is what counts. */
function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '');
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  return [...groups, ...Array<string>(missing).fill('0'), ...(tail?.split(':') ?? [])].slice(0, 4).join(':');
}

/** The only place that turns what was thrown into an answer. */
function fail(error: unknown, request: FastifyRequest, reply: FastifyReply, deps: Deps): FastifyReply {
  const known = toApiError(error);
  if (known.status === 'INTERNAL')
    deps.log.error({ requestId: request.id, path: request.operation, err: error }, 'request failed');
  else if (known.status === 'UNAVAILABLE')
    deps.log.warn(
      { requestId: request.id, path: request.operation, err: error },
      'request could not be served',
    );
  else if (known.status === 'PERMISSION_DENIED' && known.cause instanceof Error)
    deps.log.info(
      {
        requestId: request.id,
        path: request.operation,
        apiKeyId: request.caller?.apiKeyId,
        userId: request.caller?.user?.userId,
        because: known.cause.message,
      },
      'access refused',
    );
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  reply.header('x-request-id', request.id);
  const tooLarge = (error as { statusCode?: number } | null)?.statusCode === 413;
  return reply
    .code(tooLarge ? 413 : httpStatus[known.status])
    .type('application/json; charset=utf-8')
    .send(failure(known));
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isOutOfSpace(error)) {
    return new ApiError(
      'UNAVAILABLE',
      'There is no space left on the disk: nothing is written until there is.',
      {
        cause: error,
        retryAfterSeconds: 10,
      },
    );
  }
  if (isUnavailable(error)) {
    return new ApiError('UNAVAILABLE', 'The database cannot be reached.', {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
  if (isTooLongForIndex(error)) return invalidArgument('The ids take too many bytes in UTF-8 together.');
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string };
  if (statusCode === 413) return invalidArgument('The request body is too large.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson();
  if (code?.startsWith('FST_ERR_CTP_')) return invalidArgument('The request body cannot be read.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return invalidArgument('The request cannot be read.');
  return new ApiError('INTERNAL', 'Internal error.', { cause: error });
}

function record(request: FastifyRequest, reply: FastifyReply, deps: Deps, metrics: Metrics): void {
  const path = request.operation ?? request.routeOptions.url ?? 'unknown';
  metrics.observe(path, reply.statusCode, reply.elapsedTime / 1_000);
  deps.log.info(
    {
      requestId: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { workspaceId: request.caller.workspaceId, apiKeyId: request.caller.apiKeyId }),
      ...(request.caller?.user && { userId: request.caller.user.userId }),
    },
    'request',
  );
}
