import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A server on loopback that is closed when the test ends; returns its address. */
export async function oddServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Seen {
  path: string;
  idempotencyKey: string;
}

export interface Dropper {
  url: string;
  seen: Seen[];
}

/** A proxy that loses the first answer to each request: it breaks the connection once the service has answered. */
export async function answerDropper(target: string): Promise<Dropper> {
  const seen: Seen[] = [];
  const url = await oddServer(async (request, response) => {
    const idempotencyKey = request.headers['idempotency-key'] as string;
    const isFirst = !seen.some((one) => one.idempotencyKey === idempotencyKey);
    seen.push({ path: request.url!, idempotencyKey });
    const answer = await forward(request, target);
    const body = Buffer.from(await answer.arrayBuffer());
    if (isFirst) {
      request.socket.destroy();
      return;
    }
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !HOP_BY_HOP.includes(name)));
    response.writeHead(answer.status, headers).end(body);
  });
  return { url, seen };
}

const HOP_BY_HOP = ['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'host'];

async function forward(request: IncomingMessage, target: string): Promise<Response> {
  const headers = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return await fetch(target + request.url, {
    method: request.method!,
    headers: headers as [string, string][],
    body: new Uint8Array(await buffer(request)),
  });
}
