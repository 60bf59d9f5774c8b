import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request in the form of the web platform. It is aborted once the client has gone. */
export function webRequestOf(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  if (reply.raw.closed) gone.abort();
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const body = request.body as Buffer | undefined;
  return new Request(new URL(request.url, 'http://redpen.internal'), {
    method: request.method,
    headers,
    signal: gone.signal,
    ...(body && body.length > 0 && { body: new Uint8Array(body) }),
  });
}

/** Sends an answer of the web platform; a stream goes on until either side ends it. */
export async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (!response.body) return reply.send('');
  if (/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
    // Proxies must not collect the events.
    reply.header('x-accel-buffering', 'no');
    return reply.send(Readable.fromWeb(response.body as never));
  }
  return reply.send(Buffer.from(await response.arrayBuffer()));
}
