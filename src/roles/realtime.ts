import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { endWith } from '../http/bare-answers.ts';
import { failedPrecondition } from '../lib/errors.ts';
import { defaultLimits } from '../realtime/limits.ts';
import type { Realtime } from '../realtime/realtime.ts';

const PATH = '/v2/realtime';

/** Serves live editors over WebSockets on the port of the HTTP server. */
export function addRealtime(
  app: FastifyInstance,
  realtime: Realtime,
  { messageBytes } = defaultLimits,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    // Updates are small and dense; packing each would cost more than it saves.
    perMessageDeflate: false,
    clientTracking: false,
  });
  app.server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] !== PATH) {
      endWith(socket, '404 Not Found', 'NOT_FOUND', 'There is no WebSocket at this address.');
    } else if (!realtime.hasRoom()) {
      endWith(
        socket,
        '503 Service Unavailable',
        'UNAVAILABLE',
        'No more connections can be taken right now.',
      );
    } else {
      sockets.handleUpgrade(request, socket, head, (ws) => realtime.accept(ws, request));
    }
  });
  app.get(PATH, async (_request, reply) => {
    reply.header('upgrade', 'websocket');
    throw failedPrecondition('This address takes WebSocket connections of the Hocuspocus protocol.');
  });
}
