import type { ServerResponse } from 'node:http';

/** How a receiver answers one request. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Nothing comes back, and the connection stays. */
  | 'hang'
  /** The connection is reset before a byte comes back. */
  | 'reset'
  /** It ends in the middle of the answer's body. */
  | 'close'
  /** One byte a second, for as long as anybody reads. */
  | 'drip'
  /** Ten megabytes of it. */
  | 'flood';

const DRIP_EVERY_MS = 1_000;
const FLOOD_BYTES = 10 * 1_024 * 1_024;

export function giveAnswer(response: ServerResponse, answer: Answer): void {
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
      // Whoever has read enough goes away, which is no fault of the answer.
      response.on('error', () => {});
      response.end(Buffer.alloc(FLOOD_BYTES, 'x'));
  }
}
