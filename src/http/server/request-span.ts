import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginOperation, type Operation } from '../../lib/tracing/tracing.ts';
import { operationOf } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation to which spans and log lines of the request belong. */
    trace?: Operation;
  }
}

/** They are asked every few seconds, and would hide other requests. */
const PROBES = new Set(['/live', '/health', '/ready', '/metrics']);

/** Begins the span of a request, by the semantic conventions for HTTP servers. */
export function beginRequest(request: FastifyRequest, reply: FastifyReply): Operation {
  const { method, protocol, id } = request;
  // The path and query that were sent may hold credentials.
  const route = operationOf(request);
  const { traceparent } = request.headers;
  const span = PROBES.has(route)
    ? undefined
    : {
        name: request.is404 ? method : `${method} ${route}`,
        kind: 'server' as const,
        attributes: {
          'http.request.method': method,
          'http.route': request.is404 ? undefined : route,
          'url.scheme': protocol,
          'redpen.request.id': id,
        },
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      };
  const trace = beginOperation(route, span);
  request.trace = trace;
  if (trace.span.isRecording) {
    // A connection that the caller closes has no response.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) trace.span.fail('closed');
      trace.span.end();
    });
  }
  return trace;
}

/** Ends the span of a request whose response has been sent. `log` runs within it. */
export function endRequest(
  { trace, caller }: FastifyRequest,
  { statusCode }: FastifyReply,
  log: () => void,
): void {
  if (trace === undefined) log();
  else trace.run(log);
  if (!trace?.span.isRecording) return;
  trace.span.set({
    'http.response.status_code': statusCode,
    'redpen.workspace.id': caller?.workspaceId,
    'redpen.api_key.id': caller?.apiKeyId,
  });
  if (statusCode >= 500) trace.span.fail(String(statusCode));
  trace.span.end();
}
