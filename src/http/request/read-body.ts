import type { IncomingMessage } from 'node:http';

/** Time for a body to arrive, in addition to the time that its size allows. */
const GRACE_MS = 10_000;
/** Minimum rate of 64 kB a second, against clients that hold connections by sending a byte now and then (Slowloris). */
const BYTES_PER_MS = 64;
/** Initial size of the buffer for a body that arrives in chunks. */
const INITIAL_BYTES = 65_536;

/** Thrown for a body that cannot be read, with the HTTP status of the response. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/**
 * Reads the body of a request: at most `limit` bytes, which arrive within ten seconds and one more for each 64 kB.
 * Throws UnreadableBody, after which the connection cannot be reused.
 */
export function readBody(
  stream: IncomingMessage,
  contentLength: string | undefined,
  limit: number,
  patienceMs = GRACE_MS,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = contentLength === undefined ? undefined : Number(contentLength);
    const tooLarge = () => new UnreadableBody(413, 'The request body is too large.');
    if (length !== undefined && length > limit) {
      stream.resume();
      reject(tooLarge());
      return;
    }
    const since = performance.now();
    let body: Buffer = Buffer.alloc(0);
    let received = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = (finish: () => void) => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      finish();
    };
    const fail = (error: UnreadableBody) =>
      end(() => {
        // The rest is discarded.
        stream.on('error', () => {}).resume();
        reject(error);
      });
    const onData = (chunk: Buffer) => {
      const before = received;
      received += chunk.length;
      if (received > limit) fail(tooLarge());
      else if (before === 0) body = chunk;
      else {
        // Chunks are merged: many tiny buffers would need many times their bytes.
        if (received > body.length) {
          const room = Math.min(length ?? limit, Math.max(2 * received, INITIAL_BYTES));
          const larger = Buffer.allocUnsafe(Math.max(received, room));
          body.copy(larger, 0, 0, before);
          body = larger;
        }
        chunk.copy(body, before);
      }
    };
    const onEnd = () => {
      if (length !== undefined && received !== length) onBroken();
      else end(() => resolve(received === body.length ? body : body.subarray(0, received)));
    };
    const onBroken = () => fail(new UnreadableBody(400, 'The request body cannot be read.'));
    const look = () => {
      const left = patienceMs + received / BYTES_PER_MS - (performance.now() - since);
      if (left > 0) timer = setTimeout(look, left);
      else fail(new UnreadableBody(408, 'The request took too long to arrive.'));
    };
    look();
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}
