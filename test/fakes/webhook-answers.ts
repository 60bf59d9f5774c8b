import type { ServerResponse } from 'node:http';

/** The answer of a receiver to one request. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** No answer, and the connection stays open. */
  | 'hang'
  /** The connection is reset before the first byte of an answer. */
  | 'reset'
  /** The connection closes in the middle of the body. */
  | 'close'
  /** One byte per second, until the connection closes. */
  | 'drip'
  /** A body of 10 MiB. */
  | 'flood';

const DRIP_EVERY_MS = 1_000;
const FLOOD_BYTES = 10 * 1_024 * 1_024;

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'object') {
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  switch (answer) {
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'close':
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the beginning of', () => response.destroy());
      return;
    case 'drip': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), DRIP_EVERY_MS);
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'flood':
      response.writeHead(200, { 'content-length': String(FLOOD_BYTES) });
      // The sender may stop reading and close the connection, which is no error.
      response.on('error', () => {});
      response.end(Buffer.alloc(FLOOD_BYTES, 'x'));
  }
}
