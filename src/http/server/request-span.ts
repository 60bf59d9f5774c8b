import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginOperation, type Operation } from '../../lib/tracing/tracing.ts';
import { operationOf } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation to which spans and log lines of the request belong. */
    course?: Operation;
  }
}

/** They are asked every few seconds, and would hide other requests. */
const PROBES = new Set(['/health', '/ready', '/metrics']);

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
  const course = beginOperation(route, span);
  request.course = course;
  if (course.span.isRecording) {
    // A connection that the caller closes has no response.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) course.span.fail('closed');
      course.span.end();
    });
  }
  return course;
}

/** Ends the span of a request whose response has been sent. `log` runs within it. */
export function endRequest(
  { course, caller }: FastifyRequest,
  { statusCode }: FastifyReply,
  log: () => void,
): void {
  if (course === undefined) log();
  else course.run(log);
  if (!course?.span.isRecording) return;
  course.span.set({
    'http.response.status_code': statusCode,
    'redpen.workspace.id': caller?.workspaceId,
    'redpen.api_key.id': caller?.apiKeyId,
  });
  if (statusCode >= 500) course.span.fail(String(statusCode));
  course.span.end();
}
