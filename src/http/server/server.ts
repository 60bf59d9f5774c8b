import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Metric } from 'prom-client';
import { isOutOfSpace, isTooLongForIndex, isUnavailable, wordsOfSpace } from '../../db/faults.ts';
import { ResultTooLarge } from '../../db/result-bounds.ts';
import type { Deps } from '../../deps.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import { writeJson } from '../../lib/text/json-text.ts';
import { BlobFailure } from '../../outside/blobs.ts';
import { countUse } from '../../store/platform/rate-counters.ts';
import type { Endpoint } from '../endpoint.ts';
import { failure, failureOf, httpStatus } from '../envelope.ts';
import type { FileRoute } from '../file-route.ts';
import { callerOf, createAdmission } from '../limits/admission.ts';
import { boundConnections, connectionsDropped } from '../limits/connection-rate.ts';
import { OperationLimits } from '../limits/operation-limits.ts';
import type { Authenticator } from '../request/authenticate.ts';
import { createOwnAddress } from '../request/own-address.ts';
import { readBody, UnreadableBody } from '../request/read-body.ts';
import { listenForRevocations } from './answer.ts';
import { drain } from './drain.ts';
import { addEndpoint, notJson } from './endpoint-route.ts';
import { addFileRoute } from './file-routes.ts';
import { type Identify, identifyWith } from './identify.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addProbes, type Probes } from './probes.ts';
import { answerBrokenRequest, answerOddRequests } from './raw-errors.ts';
import { createRequestLog, operationOf, type RequestLog } from './request-log.ts';
import { hintOfUnknown } from './unknown-operation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For routes that are added to the server later. */
    identify: Identify;
    metrics: Metrics;
    /** Works when it is the caller's turn to use the processor and the database. */
    inTurn: <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>) => Promise<T>;
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
  /** How many processes serve requests, this one among them. */
  processes?: (() => number) | undefined;
  /** A stop keeps connections that look idle open for this long. */
  askToCloseMs?: number | undefined;
  /** Metrics of other parts, to be served at /metrics. */
  meters?: readonly Metric[];
  /** Requests that take as long are logged as slow; by default a second. */
  slowMs?: number;
}

const MINUTE_MS = 60_000;
const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;
/** The request line and the headers must be there within it. */
const HEADERS_WITHIN_MS = 10_000;
/** Bounds what no body is read for; `readBody` is stricter. */
const REQUEST_WITHIN_MS = 300_000;

/** The HTTP server, not listening yet. Every answer, also to broken requests, is in the envelope. */
export async function createServer(parts: Parts): Promise<FastifyInstance> {
  const { deps, endpoints, files, probes, authenticator, askToCloseMs } = parts;
  const requestLog = createRequestLog(deps.log, () => deps.storage.faults(), { slowMs: parts.slowMs });
  const app = Fastify({
    logger: false,
    bodyLimit: deps.settings.bodyLimitBytes,
    trustProxy: deps.settings.trustProxy.length > 0 ? deps.settings.trustProxy : false,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionTimeout: 0,
    // Left to Node, such a request is refused without a word.
    // A user token that names many resources takes more room than Node gives headers by itself.
    http: {
      requireHostHeader: false,
      maxHeaderSize: 65_536,
      headersTimeout: HEADERS_WITHIN_MS,
      connectionsCheckingInterval: 1_000,
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
      fail(error, request as FastifyRequest, reply as FastifyReply, { deps, requestLog }),
    clientErrorHandler: answerBrokenRequest,
  });
  app.setReplySerializer(writeJson as (value: unknown) => string);
  answerOddRequests(app.server);
  boundConnections(app.server, deps.settings.connectionRate, deps.settings.trustProxy);
  const stopListening = await listenForRevocations(deps, authenticator);
  const admission = createAdmission(deps.settings, parts.processes ?? (() => 1));
  const identify = identifyWith(authenticator, admission);
  app.decorate('identify', identify);
  app.decorate('inTurn', async (request, reply, work) => {
    const turn = await admission.takeTurn(callerOf(request.caller, request.ip), 1, reply);
    try {
      return await work();
    } finally {
      turn.release();
    }
  });
  const metrics = createMetrics([...(parts.meters ?? []), ...admission.meters, connectionsDropped]);
  app.decorate('metrics', metrics);
  app.addHook('onClose', stopListening);
  const closing = new AbortController();
  app.addHook('preClose', () => {
    closing.abort();
    return drain(app.server, askToCloseMs);
  });

  const refuseUnknown = answerUnknown(endpoints.flatMap(({ path }) => path));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, stream: IncomingMessage) =>
    readBody(stream, request.headers['content-length'], request.routeOptions.bodyLimit),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (!request.routeOptions.config.identifies) admission.meetStranger(request, reply);
    if (request.is404) refuseUnknown(request, reply);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request.method, operationOf(request), reply.statusCode, reply.elapsedTime / 1_000);
    requestLog.answered(request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => fail(error, request, reply, { deps, requestLog }));
  app.setNotFoundHandler(refuseUnknown);

  const { onWritten } = parts;
  const ownAddress = createOwnAddress(deps);
  const ownLimits = new OperationLimits((bucket, now) => countUse(deps.db, bucket, MINUTE_MS, now));
  for (const endpoint of endpoints) {
    addEndpoint(
      app,
      { deps, authenticator, admission, identify, ownLimits, ownAddress, onWritten, closing: closing.signal },
      endpoint,
    );
  }
  for (const file of files) addFileRoute(app, deps, identify, file);
  addProbes(app, deps, metrics, probes);
  return app;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0]!.slice(0, 200);

/** Called before the body is read, which has no place among those of a caller. */
const answerUnknown =
  (paths: readonly string[]) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length !== '0' || encoding !== undefined) reply.header('connection', 'close');
    const path = pathOf(request);
    const hasRoute = (method: 'GET' | 'POST') => request.server.hasRoute({ method, url: path });
    const hint = hintOfUnknown(request.method, path, { paths, hasRoute });
    reply.code(404).send(failureOf('NOT_FOUND', `There is no operation ${request.method} ${path}.${hint}`));
  };

/** The only place that turns what was thrown into an answer. */
function fail(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { deps, requestLog }: { deps: Deps; requestLog: RequestLog },
): FastifyReply {
  const known = toApiError(error);
  if (known.status === 'UNAVAILABLE') deps.storage.note(error);
  requestLog.failed(error, known, request, reply);
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  reply.header('x-request-id', request.id);
  const unread = (error as { statusCode?: number } | null)?.statusCode;
  // What is left of a body that was not read would be taken for the next request.
  if (error instanceof UnreadableBody) reply.header('connection', 'close');
  return reply
    .code(unread === 413 || unread === 408 ? unread : httpStatus[known.status])
    .type('application/json; charset=utf-8')
    .send(failure(known));
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isOutOfSpace(error)) {
    return new ApiError('UNAVAILABLE', wordsOfSpace(error), { cause: error, retryAfterSeconds: 10 });
  }
  if (error instanceof BlobFailure)
    return new ApiError('UNAVAILABLE', error.message, { cause: error, retryAfterSeconds: 10 });
  if (isUnavailable(error)) {
    return new ApiError('UNAVAILABLE', 'The database cannot be reached.', {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
  if (error instanceof ResultTooLarge) {
    return new ApiError(
      'RESOURCE_EXHAUSTED',
      'The answer is larger than the service can hold in memory: ask for less at once, such as a smaller page.',
      { cause: error },
    );
  }
  if (isTooLongForIndex(error)) return invalidArgument('The ids take too many bytes in UTF-8 together.');
  if (error instanceof UnreadableBody) return invalidArgument(error.message);
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string };
  if (statusCode === 413) return invalidArgument('The request body is too large.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson();
  if (code?.startsWith('FST_ERR_CTP_')) return invalidArgument('The request body cannot be read.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return invalidArgument('The request cannot be read.');
  return new ApiError('INTERNAL', 'Internal error.', { cause: error });
}
