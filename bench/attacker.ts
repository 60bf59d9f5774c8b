import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'undici';
import { post } from './closed-loop.ts';

/** One caller that sends as much as the limits allow. */
export interface Attacker {
  url: string;
  client: Pool;
  headers: Record<string, string>;
}

export interface Load {
  name: string;
  /** Prepares the load. Then `width` loops repeat `act` until the load ends, and `end` closes what is still open. */
  begin(attacker: Attacker): Promise<{ act: () => Promise<unknown>; width: number; end?: () => void }>;
}

export const ATTACKER_ADDRESS = '127.0.0.9';

export const place = { organizationId: 'acme', documentId: 'home' };
export const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
let count = 0;
export const next = (): number => count++;
const letters = 'abcdefghijklmnopqrstuvwxyz';
export const word = (): string =>
  Array.from({ length: 7 }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
export const words = (length: number): string => Array.from({ length }, word).join(' ');
export const times = <T>(length: number, create: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => create(index));

/** Sends a request and discards the body of its response, which may be a refusal. */
export async function send(
  { client, headers }: Attacker,
  path: string,
  body: string | Buffer,
  otherHeaders?: Record<string, string>,
): Promise<number> {
  const response = await client.request({ method: 'POST', path, headers: otherHeaders ?? headers, body });
  await response.body.dump();
  return response.statusCode;
}

/** A load of one operation. It repeats a few bodies, so that it spends no time on creating them. */
export const calls = (
  name: string,
  width: number,
  path: string,
  bodies: (turn: number) => object,
  { samples = 4, prepare }: { samples?: number; prepare?: (attacker: Attacker) => Promise<unknown> } = {},
): Load => ({
  name,
  async begin(attacker) {
    await prepare?.(attacker);
    const payloads = times(samples, (turn) => JSON.stringify({ data: bodies(turn) }));
    return { width, act: () => send(attacker, path, payloads[next() % payloads.length]!) };
  },
});

export const addDocument = ({ client, headers }: Attacker) =>
  post(
    client,
    '/v2/organizations/documents/add',
    { organizationId: 'acme', documents: [{ documentId: 'home' }] },
    headers,
  );

/** A server that accepts connections and never responds. */
export async function hangingServer(): Promise<{ server: Server; url: string; open: () => number }> {
  let open = 0;
  const server = createServer(() => {});
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open: () => open };
}

/** A site whose pages arrive after `ms`. */
export async function slowSite(ms: number): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    setTimeout(() => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Page</title><h1>Page</h1><p>Some words.</p>');
    }, ms);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
