import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Metric } from 'prom-client';
import {
  isOutOfSpace,
  isTooLongForIndex,
  isUnavailable,
  outOfSpaceMessage,
} from '../../db/database-errors.ts';
import { ResultTooLarge } from '../../db/result-size-limit.ts';
import type { Deps } from '../../deps.ts';
import { ApiError, invalidArgument } from '../../lib/errors.ts';
import { writeJson } from '../../lib/text/json-text.ts';
import { BlobFailure } from '../../outside/storage/blob-store.ts';
import { countUse } from '../../store/platform/rate-counters.ts';
import type { Endpoint } from '../endpoint.ts';
import { failure, failureOf, httpStatus } from '../envelope.ts';
import type { FileRoute } from '../file-route.ts';
import { type Admission, callerOf, createAdmission } from '../limits/admission.ts';
import { connectionsDropped, limitConnectionRate } from '../limits/connection-rate.ts';
import { OperationLimits } from '../limits/operation-limits.ts';
import type { Authenticator } from '../request/authenticate.ts';
import { createOwnAddress } from '../request/own-address.ts';
import { readBody, UnreadableBody } from '../request/read-body.ts';
import { createConsoleGuard } from '../request/session-credentials.ts';
import { unknownFieldsSent } from '../request/unknown-fields.ts';
import { drain } from './drain.ts';
import { addEndpoint, notJson } from './endpoint-route.ts';
import { addFileRoute } from './file-routes.ts';
import { type Identify, identifyWith } from './identify.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { addProbes, type Probes } from './probes.ts';
import { answerBrokenRequest, answerRawRequests } from './raw-errors.ts';
import { createRequestLog, operationOf, type RequestLog } from './request-log.ts';
import { beginRequest, endRequest } from './request-span.ts';
import { listenForRevocations } from './run-endpoint.ts';
import { hintOfUnknown } from './unknown-operation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For routes that are added to the server afterwards. */
    identify: Identify;
    metrics: Metrics;
    /** Runs work when it is the caller's turn to use the processor and the database. */
    inTurn: <T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>) => Promise<T>;
    /** Aborted once the server is about to stop, before it waits for its connections. */
    closing: AbortSignal;
  }
}

export interface ServerOptions {
  deps: Deps;
  endpoints: readonly Endpoint[];
  files: readonly FileRoute[];
  probes: Probes;
  authenticator: Authenticator;
  /** Called after each operation that may have written something. */
  onWritten?: (() => void) | undefined;
  /** Returns the number of processes that serve requests, including this one. */
  processes?: (() => number) | undefined;
  /** Time for which a stop keeps idle connections open. */
  askToCloseMs?: number | undefined;
  /** Metrics of other parts, to be served at /metrics. */
  metrics?: readonly Metric[];
  /** Requests that take longer are logged as slow. Default 1,000. */
  slowMs?: number;
}

const METRICS = [connectionsDropped, unknownFieldsSent];
const MINUTE_MS = 60_000;
const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;
/** Limit for the request line and the headers. */
const HEADERS_WITHIN_MS = 10_000;
/** Limit for requests whose body is not read; `readBody` is stricter. */
const REQUEST_WITHIN_MS = 300_000;

/** Creates the HTTP server without listening. Every response is in the envelope, also for invalid requests. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { deps, endpoints, files, probes, authenticator, askToCloseMs } = options;
  const requestLog = createRequestLog(deps.log, () => deps.storage.faults(), { slowMs: options.slowMs });
  const app = Fastify({
    logger: false,
    bodyLimit: deps.settings.bodyLimitBytes,
    trustProxy: deps.settings.trustProxy.length > 0 ? deps.settings.trustProxy : false,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionTimeout: 0,
    http: {
      // Node would refuse requests without a host with an empty body.
      requireHostHeader: false,
      // A user token that names many resources exceeds the default of Node.
      maxHeaderSize: 65_536,
      headersTimeout: HEADERS_WITHIN_MS,
      connectionsCheckingInterval: 1_000,
      // Some clients offer an upgrade to HTTP/2 with every request, which is ignored.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    keepAliveTimeout: 72_000,
    // Kept-alive connections must not delay a stop.
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
  answerRawRequests(app.server);
  limitConnectionRate(app.server, deps.settings.connectionRate, deps.settings.trustProxy);
  const stopListening = await listenForRevocations(deps, authenticator);
  const admission = createAdmission(deps.settings, options.processes ?? (() => 1));
  const consoleGuard = createConsoleGuard(deps);
  const identify = identifyWith({ authenticator, admission, consoleGuard });
  app.decorate('identify', identify);
  app.decorate('inTurn', inTurnOf(admission));
  const metrics = createMetrics([...(options.metrics ?? []), ...admission.metrics, ...METRICS]);
  app.decorate('metrics', metrics);
  app.addHook('onClose', stopListening);
  const closing = new AbortController();
  app.decorate('closing', closing.signal);
  app.addHook('preClose', () => {
    closing.abort();
    return drain(app.server, askToCloseMs);
  });

  const refuseUnknown = refuseUnknownPath(endpoints.flatMap(({ path }) => path));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, stream: IncomingMessage) =>
    readBody(stream, request.headers['content-length'], request.bodyBound ?? request.routeOptions.bodyLimit),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (!request.routeOptions.config.identifies) admission.countAddress(request, reply);
    const trace = beginRequest(request, reply);
    trace.run(() => (request.is404 ? refuseUnknown(request, reply) : done()));
  });
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request.method, operationOf(request), reply.statusCode, reply.elapsedTime / 1_000);
    endRequest(request, reply, () => requestLog.answered(request, reply));
    done();
  });
  app.setErrorHandler((error, request, reply) => fail(error, request, reply, { deps, requestLog }));
  app.setNotFoundHandler(refuseUnknown);

  const context = {
    deps,
    authenticator,
    admission,
    identify,
    operationLimits: new OperationLimits((bucket, now) => countUse(deps.db, bucket, MINUTE_MS, now)),
    ownAddress: createOwnAddress(deps),
    consoleGuard,
    onWritten: options.onWritten,
    closing: closing.signal,
  };
  for (const endpoint of endpoints) addEndpoint(app, context, endpoint);
  for (const file of files) addFileRoute(app, deps, identify, file);
  addProbes(app, deps, metrics, probes);
  return app;
}

const inTurnOf =
  (admission: Admission): FastifyInstance['inTurn'] =>
  async (request, reply, work) => {
    const turn = await admission.takeTurn(callerOf(request.caller, request.ip), 1, reply);
    try {
      return await work();
    } finally {
      turn.release();
    }
  };

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0]!.slice(0, 200);

/** Answers before the body is read, because it is not counted for any caller. */
const refuseUnknownPath =
  (paths: readonly string[]) =>
  (request: FastifyRequest, reply: FastifyReply): void => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length !== '0' || encoding !== undefined) reply.header('connection', 'close');
    const path = pathOf(request);
    const hasRoute = (method: 'GET' | 'POST') => request.server.hasRoute({ method, url: path });
    const hint = hintOfUnknown(request.method, path, { paths, hasRoute });
    reply.code(404).send(failureOf('NOT_FOUND', `There is no operation ${request.method} ${path}.${hint}`));
  };

/** Turns errors into responses. Nothing else does. */
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
  // The unread rest of the body would be taken for the next request.
  if (error instanceof UnreadableBody) reply.header('connection', 'close');
  return reply
    .code(unread === 413 || unread === 408 ? unread : httpStatus[known.status])
    .type('application/json; charset=utf-8')
    .send(failure(known));
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isOutOfSpace(error)) {
    return new ApiError('UNAVAILABLE', outOfSpaceMessage(error), { cause: error, retryAfterSeconds: 10 });
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
