import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { FetchFailure } from './outbound-fetch.ts';
import { createSafeFetch } from './safe-fetch.ts';
import { createGuard } from './ssrf-guard.ts';

export const cleanups: (() => unknown)[] = [];

/** To be run after each test: what its servers and clients left open is closed. */
export async function cleanUp() {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

export async function serve(answer: RequestListener) {
  const requests: IncomingMessage[] = [];
  const port = await listen(
    createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    }),
  );
  return { port, url: `http://127.0.0.1:${port}`, requests };
}

/** A server that writes whatever it likes, so that the answer need not be HTTP. */
export async function serveRaw(onRequest: (socket: Socket) => void) {
  const port = await listen(createTcpServer((socket) => socket.once('data', () => onRequest(socket))));
  return { port, url: `http://127.0.0.1:${port}/` };
}

export function fetchAllowing(
  ports: number[],
  resolve?: () => Promise<{ address: string; family: number }[]>,
) {
  const guard = createGuard({ allowHosts: ports.map((port) => `127.0.0.1:${port}`), resolve });
  const fetch = createSafeFetch(guard, { userAgent: 'Redpen/1' });
  cleanups.push(() => fetch.close());
  return fetch;
}

export const failureOf = async (asked: Promise<unknown>) =>
  asked.then(
    () => expect.fail('It answered.'),
    (error: FetchFailure) => error,
  );

export const text = (body: Uint8Array) => new TextDecoder().decode(body);
