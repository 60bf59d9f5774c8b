import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { failureOf } from '../../http/envelope.ts';
import { createSemaphore } from '../../lib/threads/semaphore.ts';

const STOPPING = 'The service is stopping.';
/** Answers that go on for as long as they are read. */
const STREAMS = ['/v2/events'];

/** Names a call within the process; another request with it names none. */
const CALL_HEADER = 'x-redpen-call';
/** The signals of calls that are not answered. */
const calls = new Map<string, AbortSignal>();

/** Lets an injected request end when its signal is aborted, as one does whose connection is closed. */
export function endInjected(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, { raw }) => {
    const signal = calls.get(String(headers[CALL_HEADER]));
    if (!signal) return;
    const end = () => raw.destroy();
    signal.addEventListener('abort', end, { once: true });
    raw.once('close', () => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
  });
}

/**
 * A `fetch` that reaches the routes of a server in this process without a connection. Authentication, limits, validation
 * and the log are those of any other request. More than `atOnce` requests wait for one another; streams do not count.
 */
export function injectingFetch(
  app: FastifyInstance,
  { remoteAddress, atOnce }: { remoteAddress: string; atOnce: number },
): typeof fetch {
  const places = createSemaphore(atOnce);
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const { method = 'GET', headers, body, signal } = init;
    signal?.throwIfAborted();
    if (app.closing.aborted) return Response.json(failureOf('UNAVAILABLE', STOPPING), { status: 503 });
    const request = {
      method: method as 'GET' | 'POST',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      remoteAddress,
      ...(typeof body === 'string' && { payload: body }),
    };
    if (STREAMS.includes(pathname)) {
      const answer = await app.inject({ ...request, payloadAsStream: true, ...(signal && { signal }) });
      const stream = Readable.toWeb(answer.stream()) as ReadableStream<Uint8Array>;
      return new Response(stream, { status: answer.statusCode, headers: headersOf(answer.headers) });
    }
    const leave = await places.acquire(signal ?? undefined);
    const call = randomUUID();
    if (signal) calls.set(call, signal);
    try {
      const answer = await app.inject({ ...request, headers: { ...request.headers, [CALL_HEADER]: call } });
      return new Response(new Uint8Array(answer.rawPayload), {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
      });
    } finally {
      calls.delete(call);
      leave();
    }
  };
}

function headersOf(given: Record<string, number | string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value ?? []].flat()) headers.append(name, String(one));
  }
  return headers;
}
