import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorStatus } from '../../lib/errors.ts';
import { failureOf } from '../envelope.ts';

/** Answers what is not even HTTP, or stopped half way. */
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
  endWith(socket, line, 'INVALID_ARGUMENT', reason);
}

/** Answers what Node keeps from the routes, and would drop or refuse without a word. */
export function answerOddRequests(server: Server): void {
  server.on('checkExpectation', ({ socket }) =>
    endWith(socket, '417 Expectation Failed', 'INVALID_ARGUMENT', 'The expect header cannot be met.'),
  );
  server.on('connect', (_request, socket) =>
    endWith(socket, '404 Not Found', 'NOT_FOUND', 'There is no operation CONNECT.'),
  );
}

/** Answers on a bare connection, and ends it. */
export function endWith(
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
