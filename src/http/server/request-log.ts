import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ApiError } from '../../lib/errors.ts';
import { LogThrottle } from '../../lib/log-throttle.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** True if the caller deliberately waits for something to happen (long polling). */
    isWaiting?: boolean;
  }
}

/** Callers notice such a delay, and hardly any operation takes as long under normal load. */
const SLOW_MS = 1_000;
/** Log lines a minute about one operation and one kind of failure. */
const FAILURES_A_MINUTE = 10;

export interface RequestLog {
  /** Logs a failed request if it concerns the operator. */
  failed(error: unknown, known: ApiError, request: FastifyRequest, reply: FastifyReply): void;
  answered(request: FastifyRequest, reply: FastifyReply): void;
}

/** Logs failures of the service, refusals to users, slow requests, and at debug level all requests. */
export function createRequestLog(
  log: Logger,
  /** Faults that the log has already reported. */
  knownFaults: () => readonly string[],
  { slowMs = SLOW_MS, now = Date.now }: { slowMs?: number | undefined; now?: () => number } = {},
): RequestLog {
  const bound = new LogThrottle(FAILURES_A_MINUTE, now);
  // The fields are fixed and hold no secrets; redaction would take as long as writing the line.
  const fast = log.child({}, { redact: [] });
  return {
    failed(error, known, request, reply) {
      const { status, message, cause } = known;
      if (status === 'INTERNAL') {
        const more = bound.take(`${operationOf(request)} ${String(error)}`);
        if (more) log.error({ ...about(request, 500, reply), ...more, err: error }, 'request fails');
      } else if (status === 'UNAVAILABLE' && !knownFaults().includes(message)) {
        const more = bound.take(message);
        const reason = cause instanceof Error ? cause.message : message;
        if (more) log.warn({ ...about(request, 503, reply), ...more, reason }, 'request cannot be served');
      } else if (status === 'PERMISSION_DENIED' && cause instanceof Error)
        log.info({ ...about(request, 403, reply), because: cause.message }, 'access is refused');
    },
    answered(request, reply) {
      const { elapsedTime: ms, statusCode } = reply;
      const isSlow = ms >= slowMs && statusCode < 500 && !request.isWaiting;
      if (isSlow) fast.info(about(request, statusCode, reply), 'request is slow');
      else if (fast.isLevelEnabled('debug')) fast.debug(about(request, statusCode, reply), 'request');
    },
  };
}

/** The path of the operation, never the path that was sent. */
export const operationOf = (request: FastifyRequest): string =>
  request.operation ?? request.routeOptions.url ?? 'unknown';

const about = (request: FastifyRequest, status: number, reply: FastifyReply) => ({
  method: request.method,
  path: operationOf(request),
  status,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  requestId: request.id,
  ...(request.caller && { workspaceId: request.caller.workspaceId, apiKeyId: request.caller.apiKeyId }),
  ...(request.caller?.user && { userId: request.caller.user.userId }),
  ...(request.caller?.member && { accountId: request.caller.member.accountId }),
});
