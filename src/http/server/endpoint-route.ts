import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps, Settings } from '../../deps.ts';
import { type ApiError, type Issue, invalidArgument, permissionDenied } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { serializeLongLists } from '../../lib/text/json-text.ts';
import { beginWork, endWork } from '../../lib/threads/watchdog.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Admission, callerOf, weightOf } from '../limits/admission.ts';
import { limitAssistantDecisions } from '../limits/assistant-decisions.ts';
import { addRateLimitHeaders, quotaExceeded } from '../limits/caller-buckets.ts';
import type { OperationLimits } from '../limits/operation-limits.ts';
import type { Authenticator } from '../request/authenticate.ts';
import { allowOrigin, allowPreflight } from '../request/cors.ts';
import { demandOf } from '../request/demand-of.ts';
import type { OwnAddress } from '../request/own-address.ts';
import { parseData, readData } from '../request/parse.ts';
import type { ConsoleGuard } from '../request/session-credentials.ts';
import { unknownFieldFinder, unknownFieldsSent, type Warnings } from '../request/unknown-fields.ts';
import type { Identify } from './identify.ts';
import { runEndpoint } from './run-endpoint.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the operation's rate limit is exceeded, for operations that validate the body first. */
    limitExceeded?: ApiError;
  }
}

export interface RouteContext {
  deps: Deps;
  authenticator: Authenticator;
  admission: Admission;
  identify: Identify;
  /** Rate limits of single operations. */
  operationLimits: OperationLimits;
  ownAddress: OwnAddress;
  consoleGuard: ConsoleGuard;
  /** Called after an operation that may have changed something. */
  onWritten?: (() => void) | undefined;
  /** Aborted once the server is about to stop. */
  closing: AbortSignal;
}

/** Public operations need no large bodies. */
const PUBLIC_BODY_BYTES = 16_384;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Serves an operation at all its paths. */
export function addEndpoint(app: FastifyInstance, context: RouteContext, endpoint: Endpoint): void {
  const bodyLimit =
    endpoint.auth === 'public'
      ? PUBLIC_BODY_BYTES
      : (endpoint.bodyLimitBytes ?? context.deps.settings.bodyLimitBytes);
  const paths = typeof endpoint.path === 'string' ? [endpoint.path] : endpoint.path;
  const demand = demandOf(endpoint);
  const reader = createReader(endpoint, context.deps.settings.unknownFields === 'reject');
  for (const path of paths) {
    if (endpoint.auth === 'apiKeyOrUser') allowPreflight(app, path);
    app.post(path, {
      bodyLimit,
      config: { identifies: true },
      onRequest: async (request, reply) => {
        request.operation = path;
        if (endpoint.auth === 'apiKeyOrUser') allowOrigin(request, reply);
        await context.identify(request, reply, endpoint.auth, {
          bodyLimit,
          demand,
          isConsole: endpoint.isConsole,
        });
        if (endpoint.isConsole) context.consoleGuard.admit(request);
        await limitRate(context, endpoint, request, reply);
        const closed = closedBy(endpoint, context.deps.settings);
        if (closed !== undefined) throw request.limitExceeded ?? permissionDenied(closed);
      },
      handler: (request, reply) => handle(context, { endpoint, path, reader }, request, reply),
    });
  }
}

/** A sentence if the operator has closed an operation. */
const closedBy = ({ closed, isConsole }: Endpoint, settings: Settings): string | undefined =>
  isConsole && !settings.console ? 'The console of this service is turned off.' : closed?.(settings);

async function handle(
  { deps, authenticator, admission, ownAddress, consoleGuard, onWritten, closing }: RouteContext,
  { endpoint, path, reader }: { endpoint: Endpoint; path: string; reader: Reader },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requireJson(request);
  const body = request.body as Buffer | undefined;
  const bytes = body?.length ?? 0;
  const stores = endpoint.kind !== 'read' && !endpoint.availableWhenFull;
  if (stores) deps.storage.requireRoom(request.caller?.apiKeyId, bytes);
  const weight = weightOf(endpoint.isHeavy ?? false, bytes);
  const turn = await admission.takeTurn(callerOf(request.caller, request.ip), weight, reply);
  beginWork(path);
  try {
    const { data, warnings } = await readRequest(reader, { endpoint, path }, body, request);
    const {
      statusCode,
      body: answered,
      replayed,
    } = await runEndpoint(deps, authenticator, {
      endpoint,
      path,
      data,
      warnings,
      body: body!,
      caller: request.caller,
      requestId: request.id,
      clientIp: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      origin: () => ownAddress(request),
      beforeWrite: async (tx) => {
        if (request.caller?.assistant !== undefined && endpoint.decisionsOfAssistant)
          await limitAssistantDecisions(tx, request.caller, reply, endpoint.decisionsOfAssistant(data));
      },
      keepSession: (session) => reply.header('set-cookie', consoleGuard.cookieOf(request, session)),
      idempotencyKey:
        endpoint.kind === 'read' || endpoint.changesNothing ? undefined : idempotencyKeyOf(request),
      clientSignal() {
        request.isWaiting = true;
        return AbortSignal.any([closing, closedSignal(reply)]);
      },
      releaseTurn: () => turn.release(),
    });
    if (endpoint.kind !== 'read' && !endpoint.changesNothing) onWritten?.();
    if (stores && request.caller?.apiKeyId !== undefined && !replayed)
      deps.storage.quota.count(request.caller.apiKeyId, bytes);
    if (replayed) reply.header('idempotent-replayed', 'true');
    // Writes return short lists of ids and counts.
    const isShort = endpoint.kind === 'write' || endpoint.kind === 'statement';
    const written = isShort ? answered : serializeLongLists(answered);
    return reply.code(statusCode).send(written instanceof Promise ? await written : written);
  } finally {
    endWork(path);
    turn.release();
  }
}

type Reader = ReturnType<typeof createReader>;

/**
 * Reads requests of an endpoint: finds fields that it does not read, and warns about them or rejects the request. It also
 * warns about fields that it accepts without effect.
 */
function createReader(endpoint: Endpoint, rejectsByDefault: boolean) {
  const { dataOptional, leavesContent } = endpoint;
  const { find, warningsOf, issuesOf } = unknownFieldFinder(endpoint.data);
  return async (
    body: Buffer | undefined,
    request: FastifyRequest,
    operation: string,
  ): Promise<{ data: unknown; warnings: Warnings | undefined }> => {
    const rejects = isStrict(request) ?? rejectsByDefault;
    const sent = await readData(body, { dataOptional, leavesContent });
    // Found before the data is parsed, because some schemas change what they parse.
    const unknown = find(sent);
    if (unknown.length > 0) unknownFieldsSent.inc({ operation }, unknown.length);
    const data = parseData(endpoint.data, sent.data, (known) => (rejects ? issuesOf(unknown, known) : []));
    const ignored = endpoint.ignores?.(sent.data) ?? [];
    return {
      data,
      warnings: unknown.length + ignored.length > 0 ? warningsOf(unknown, ignored) : undefined,
    };
  };
}

/** True if a request wants unknown fields to be rejected, false if not; undefined if it does not say. */
function isStrict(request: FastifyRequest): boolean | undefined {
  const sent = request.headers['x-redpen-strict'];
  if (sent === undefined) return undefined;
  if (sent === '1' || sent === 'true') return true;
  if (sent === '0' || sent === 'false') return false;
  throw invalidArgument('The x-redpen-strict header must be 1, true, 0 or false.');
}

async function readRequest(
  reader: Reader,
  { endpoint, path }: { endpoint: Endpoint; path: string },
  body: Buffer | undefined,
  request: FastifyRequest,
): Promise<{ data: unknown; warnings: Warnings | undefined }> {
  try {
    const read = await reader(body, request, path);
    if (request.limitExceeded) throw request.limitExceeded;
    return read;
  } catch (error) {
    if (request.limitExceeded && !precedesLimit(error, endpoint.rateLimit?.after))
      throw request.limitExceeded;
    throw error;
  }
}

function precedesLimit(error: unknown, message: string | undefined): boolean {
  const { details } = error as ApiError;
  const issues = (details as { issues?: Issue[] } | undefined)?.issues ?? [];
  return issues.some((issue) => issue.message === message);
}

/** A signal that is aborted once the connection is closed or the response is sent. */
function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController();
  reply.raw.once('close', () => closed.abort());
  if (reply.raw.closed) closed.abort();
  return closed.signal;
}

export const notJson = () => invalidArgument('The content-type header must be application/json.');

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

/** Counts a request against the operation's own rate limit, which all processes share. */
export async function limitRate(
  { deps, operationLimits }: Pick<RouteContext, 'deps' | 'operationLimits'>,
  { rateLimit }: Pick<Endpoint, 'rateLimit'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!rateLimit) return;
  const { name, per = 'address', perMinute, message, after } = rateLimit;
  const quota = perMinute(deps.settings);
  const owner = per === 'apiKey' ? request.caller!.apiKeyId! : networkOf(request.ip);
  const { used, resetMs } = await operationLimits.use(`${name} ${owner}`, quota);
  const resetSeconds = Math.ceil(resetMs / 1_000);
  const remaining = Math.max(0, quota - used);
  addRateLimitHeaders(reply, { policy: name, quota, windowSeconds: 60, remaining, resetSeconds });
  reply.header('ratelimit-limit', quota);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
  if (used <= quota) return;
  const refusal = quotaExceeded(reply, message, { quota, resetSeconds });
  if (after === undefined) throw refusal;
  request.limitExceeded = refusal;
}
