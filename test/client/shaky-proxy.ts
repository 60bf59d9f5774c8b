import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { oddServer } from './odd-server.ts';

export interface ShakyProxy {
  url: string;
  /** The idempotency keys of all requests that change something. */
  keys: string[];
  /** The positions with which streams were opened. */
  positions: (string | undefined)[];
}

/** Passes a request on to `target`; returns the answer, whose body has not arrived yet. */
async function forward(request: IncomingMessage, target: string): Promise<IncomingMessage> {
  const { method, headers, url = '/' } = request;
  const body = await buffer(request);
  return await new Promise((resolve, reject) => {
    const { host: _, ...others } = headers;
    ask(target + url, { method, headers: others }, resolve)
      .on('error', reject)
      .end(body);
  });
}

/** Passes a request on, and its answer back. */
export async function relay(request: IncomingMessage, response: ServerResponse, target: string) {
  const answer = await forward(request, target);
  response.writeHead(answer.statusCode!, answer.headers);
  response.flushHeaders();
  response.on('close', () => answer.destroy());
  answer.on('error', () => response.destroy()).pipe(response);
}

/** A proxy that loses the first answer to each request, and cuts the first stream after its first event. */
export async function shakyProxy(target: string): Promise<ShakyProxy> {
  const keys: string[] = [];
  const positions: ShakyProxy['positions'] = [];
  const url = await oddServer(async (request, response) => {
    const key = request.headers['idempotency-key'];
    if (request.method === 'POST' && typeof key === 'string') {
      const isFirst = !keys.includes(key);
      keys.push(key);
      if (!isFirst) return await relay(request, response, target);
      for await (const _ of await forward(request, target));
      request.socket.destroy();
      return;
    }
    if (request.method === 'GET') {
      positions.push(request.headers['last-event-id'] as string | undefined);
      if (positions.length === 1) return await relayUntilAnEvent(request, response, target);
    }
    await relay(request, response, target);
  });
  return { url, keys, positions };
}

/** Passes a stream on until its first event, and breaks the connection. */
async function relayUntilAnEvent(request: IncomingMessage, response: ServerResponse, target: string) {
  const answer = await forward(request, target);
  response.writeHead(answer.statusCode!, answer.headers);
  response.flushHeaders();
  let text = '';
  for await (const chunk of answer) {
    const sent = text.length;
    text += String(chunk);
    const [whole] = /^[\s\S]*?\ndata: .*\n\n/.exec(text) ?? [];
    await new Promise((written) => response.write((whole ?? text).slice(sent), written));
    if (whole === undefined) continue;
    answer.destroy();
    request.socket.destroySoon();
    return;
  }
}
