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

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  truncated: boolean;
}

/** Marks a failure that came before any byte of an answer did. */
export const NO_ANSWER_YET = Symbol('no answer yet');

/** A body nobody wants is read to its end up to here, which keeps the connection for the next request. */
const DRAINED_BYTES = 65_536;

interface Request {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  keepAlive: boolean;
  timeoutMs: number;
  /** Of the decoded body: a small bomb must not unpack into all of the memory. */
  maxBytes: number;
  wantBody(status: number, headers: Record<string, string>): boolean;
  signal: AbortSignal | undefined;
}

/**
 * One request and its answer, without redirects. Speaks to undici's dispatcher directly, since a stream and
 * an abort signal for each request cost more than the request itself.
 */
export function exchange(dispatcher: Dispatcher, request: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { signal, maxBytes } = request;
    let controller: Dispatcher.DispatchController | undefined;
    let ended: Error | undefined;
    let isDone = false;
    let status = 0;
    let headers: Record<string, string> = {};
    let wanted = false;
    let received = 0;
    let kept = 0;
    const chunks: Buffer[] = [];
    let decoder: Transform | undefined;

    const timer = setTimeout(() => end(failure('DEADLINE')), Math.max(1, request.timeoutMs));
    const onAbort = () => end(failure('ABORT_ERR'));

    /** Ends the traffic; where an answer was given already, that is all it does. */
    function end(error: Error) {
      if (ended) return;
      ended = error;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      decoder?.destroy();
      controller?.abort(error);
      if (!isDone && status === 0) Object.assign(error, { [NO_ANSWER_YET]: true });
      isDone = true;
      reject(error);
    }

    function finish(truncated: boolean) {
      if (isDone) return;
      isDone = true;
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, kept);
      resolve({ status, headers, body, truncated });
    }

    function keep(chunk: Buffer) {
      if (isDone) return;
      const room = maxBytes - kept;
      const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
      kept += taken.length;
      chunks.push(taken);
      if (chunk.length > room) {
        finish(true);
        end(failure('ABORT_ERR'));
      }
    }

    function decodeWith(first: Buffer) {
      decoder = makeDecoder(headers['content-encoding'], first);
      decoder?.on('data', keep);
      decoder?.on('drain', () => controller?.resume());
      decoder?.on('error', end);
      decoder?.on('end', () => {
        finish(false);
        settle();
      });
    }

    function settle() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (ended) started.abort(ended);
      },
      onResponseStart(_controller, answered, rawHeaders) {
        if (answered < 200) return;
        status = answered;
        headers = joinHeaders(rawHeaders);
        wanted = request.wantBody(status, headers);
        if (!wanted) finish(false);
      },
      onResponseData(_controller, chunk) {
        received += chunk.length;
        if (!wanted) {
          if (received > DRAINED_BYTES) end(failure('ABORT_ERR'));
          return;
        }
        if (received === chunk.length) decodeWith(chunk);
        if (!decoder) keep(chunk);
        else if (!decoder.write(chunk)) controller?.pause();
      },
      onResponseEnd() {
        if (decoder) {
          decoder.end();
          return;
        }
        finish(false);
        settle();
      },
      onResponseError(_controller, error) {
        end(error);
      },
    };

    if (signal?.aborted) return end(failure('ABORT_ERR'));
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      dispatcher.dispatch(
        {
          origin: request.url.origin,
          path: request.url.pathname + request.url.search,
          method: request.method,
          headers: request.headers,
          body: request.body ?? null,
          // Left to itself, undici closes the connection after each HEAD.
          reset: !request.keepAlive,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    } catch (error) {
      end(error as Error);
    }
  });
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
 * Lenient about an end that is cut off, as browsers are.
 * An unknown encoding, or a stack of several, is left as it came: nobody sends them but to be a nuisance. */
function makeDecoder(encoding: string | undefined, first: Buffer): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      // Half of the servers leave out the zlib wrapper that the name stands for.
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
