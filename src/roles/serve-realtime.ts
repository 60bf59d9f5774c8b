import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { endWithFailure } from '../http/server/raw-errors.ts';
import { failedPrecondition } from '../lib/errors.ts';
import { defaultLimits } from '../realtime/protocol/limits.ts';
import type { Realtime } from '../realtime/realtime.ts';

const PATH = '/v2/realtime';

interface Options {
  /** Proxies whose x-forwarded-for is believed, as the HTTP server believes it. */
  trustProxy: string[];
  messageBytes?: number;
}

/** What a client is answered that cannot be connected. */
const refusals = {
  address: [
    '429 Too Many Requests',
    'RESOURCE_EXHAUSTED',
    'Too many connections from this address wait to be authenticated.',
  ],
  process: ['503 Service Unavailable', 'UNAVAILABLE', 'No more connections can be taken right now.'],
  stopping: ['503 Service Unavailable', 'UNAVAILABLE', 'The process is stopping.'],
} as const;
const RETRY_SECONDS = 5;

/** Serves live editors over WebSockets on the port of the HTTP server. */
export function addRealtime(
  app: FastifyInstance,
  realtime: Realtime,
  { trustProxy, messageBytes = defaultLimits.messageBytes }: Options,
): void {
  const trust = proxyAddr.compile(trustProxy);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    // Updates are small and dense; packing each would cost more than it saves.
    perMessageDeflate: false,
    clientTracking: false,
  });
  app.server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] !== PATH) {
      endWithFailure(socket, '404 Not Found', 'NOT_FOUND', 'There is no WebSocket at this address.');
      return;
    }
    const ip = proxyAddr(request, trust);
    const refusal = realtime.makeRoom(ip);
    if (refusal) {
      const [line, status, message] = refusals[refusal];
      endWithFailure(socket, line, status, message, { 'retry-after': RETRY_SECONDS });
    } else sockets.handleUpgrade(request, socket, head, (ws) => realtime.accept(ws, request, ip));
  });
  app.get(PATH, async (_request, reply) => {
    reply.header('upgrade', 'websocket');
    throw failedPrecondition('This address takes WebSocket connections of the Hocuspocus protocol.');
  });
}
