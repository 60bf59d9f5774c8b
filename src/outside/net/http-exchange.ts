import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { Dispatcher } from 'undici';

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  truncated: boolean;
}

/** Marks a failure that occurred before any byte of a response arrived. */
export const NO_ANSWER_YET = Symbol('no answer yet');

/** Bytes of an unwanted body that are read and dropped, so that the connection can be reused. */
const DRAINED_BYTES = 65_536;

interface Request {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  keepAlive: boolean;
  timeoutMs: number;
  /** Limit of the decoded body, so that a small decompression bomb does not fill the memory. */
  maxBytes: number;
  wantBody(status: number, headers: Record<string, string>): boolean;
  signal: AbortSignal | undefined;
}

/**
 * One request and its response, without redirects. It uses undici's dispatcher directly, because a stream and an abort
 * signal per request cost more than the request itself; `bench/links.ts` and `bench/webhooks.ts` run through it.
 */
export function exchange(dispatcher: Dispatcher, request: Request): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    new Exchange(request, resolve, reject).start(dispatcher);
  });
}

/** State of one exchange, as the handler of undici's events. It settles once. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: Request;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.#end(failure('ABORT_ERR'));
  #controller: Dispatcher.DispatchController | undefined;
  #ended: Error | undefined;
  #isSettled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #isWanted = false;
  #receivedBytes = 0;
  #keptBytes = 0;
  readonly #chunks: Buffer[] = [];
  #decoder: Transform | undefined;

  constructor(request: Request, resolve: (answer: HttpAnswer) => void, reject: (error: Error) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#end(failure('DEADLINE')), Math.max(1, request.timeoutMs));
  }

  start(dispatcher: Dispatcher): void {
    const { url, method, headers, body, keepAlive, signal } = this.#request;
    if (signal?.aborted) {
      this.#end(failure('ABORT_ERR'));
      return;
    }
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          body: body ?? null,
          // By default, undici closes the connection after each HEAD.
          reset: !keepAlive,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        this,
      );
    } catch (error) {
      this.#end(error as Error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(this.#ended);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = joinHeaders(headers);
    this.#isWanted = this.#request.wantBody(status, this.#headers);
    if (!this.#isWanted) this.#finish(false);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    if (!this.#isWanted) {
      if (this.#receivedBytes > DRAINED_BYTES) this.#end(failure('ABORT_ERR'));
      return;
    }
    if (this.#receivedBytes === chunk.length) this.#openDecoder(chunk);
    if (!this.#decoder) this.#keep(chunk);
    // Backpressure: a slow decoder pauses the socket.
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#decoder) {
      this.#decoder.end();
      return;
    }
    this.#finish(false);
    this.#stopTimer();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  /** Aborts the traffic, and rejects unless the response has been returned already. */
  #end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#stopTimer();
    this.#decoder?.destroy();
    this.#controller?.abort(error);
    if (!this.#isSettled && this.#status === 0) Object.assign(error, { [NO_ANSWER_YET]: true });
    this.#isSettled = true;
    this.#reject(error);
  }

  #finish(truncated: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#keptBytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated });
  }

  #keep(chunk: Buffer): void {
    if (this.#isSettled) return;
    const room = this.#request.maxBytes - this.#keptBytes;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#keptBytes += kept.length;
    this.#chunks.push(kept);
    if (chunk.length > room) {
      this.#finish(true);
      this.#end(failure('ABORT_ERR'));
    }
  }

  #openDecoder(first: Buffer): void {
    this.#decoder = makeDecoder(this.#headers['content-encoding'], first);
    this.#decoder?.on('data', (chunk: Buffer) => this.#keep(chunk));
    this.#decoder?.on('drain', () => this.#controller?.resume());
    this.#decoder?.on('error', (error) => this.#end(error));
    this.#decoder?.on('end', () => {
      this.#finish(false);
      this.#stopTimer();
    });
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }
}

const failure = (code: 'DEADLINE' | 'ABORT_ERR') => Object.assign(new Error(code), { code });

function joinHeaders(raw: IncomingHttpHeaders): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const name in raw) {
    const value = raw[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}

/**
 * Decoder of a content encoding. It accepts a truncated end, as browsers do. Undefined for an unknown encoding or a
 * stack of several, whose body is passed on undecoded: real servers do not send them.
 */
function makeDecoder(encoding: string | undefined, first: Buffer): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      // Many servers omit the zlib wrapper that `deflate` demands.
      return (first[0]! & 0x0f) === 8
        ? createInflate({ finishFlush: constants.Z_SYNC_FLUSH })
        : createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return createZstdDecompress();
    default:
      return undefined;
  }
}
