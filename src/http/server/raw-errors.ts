import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorStatus } from '../../lib/errors.ts';
import { failureOf } from '../envelope.ts';

/** Answers a request that is not valid HTTP or was cut off. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [line, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The request headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'The request is not valid HTTP.'];
  endWithFailure(socket, line, 'INVALID_ARGUMENT', reason);
}

/** Answers requests that Node does not pass to routes and would drop or refuse without a body. */
export function answerRawRequests(server: Server): void {
  server.on('checkExpectation', ({ socket }) =>
    endWithFailure(socket, '417 Expectation Failed', 'INVALID_ARGUMENT', 'The expect header cannot be met.'),
  );
  server.on('connect', (_request, socket) =>
    endWithFailure(socket, '404 Not Found', 'NOT_FOUND', 'There is no operation CONNECT.'),
  );
}

/** Writes a failure to a raw connection and ends it. */
export function endWithFailure(
  socket: Duplex,
  line: string,
  status: ErrorStatus,
  message: string,
  more: Record<string, string | number> = {},
): void {
  const body = JSON.stringify(failureOf(status, message));
  const headers = [
    'content-type: application/json; charset=utf-8',
    `x-request-id: ${randomUUID()}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}
