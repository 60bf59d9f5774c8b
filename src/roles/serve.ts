import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { eventsOf } from '../api/events.ts';
import { routes } from '../api/index.ts';
import type { Booted } from '../boot.ts';
import { addConsole } from '../http/console/console-routes.ts';
import type { WebApp } from '../http/console/web-app.ts';
import { addDocs } from '../http/docs-site/site.ts';
import { addOAuth } from '../http/oauth/oauth-routes.ts';
import type { Probes } from '../http/server/probes.ts';
import { endWithFailure } from '../http/server/raw-errors.ts';
import { createServer } from '../http/server/server.ts';
import { addStreamRoute } from '../http/server/stream-routes.ts';
import { failedPrecondition } from '../lib/errors.ts';
import { addMcp } from '../mcp/http/mcp-routes.ts';
import type { Feed } from '../realtime/feed/feed.ts';
import { createPeers } from '../realtime/log/peers.ts';
import { defaultLimits } from '../realtime/protocol/realtime-limits.ts';
import type { Realtime } from '../realtime/realtime.ts';
import { collectMetrics } from './collect-metrics.ts';

const REALTIME_PATH = '/v2/realtime';

interface RealtimeOptions {
  /** Proxies whose x-forwarded-for header is trusted, as for HTTP. */
  trustProxy: string[];
  messageBytes?: number;
}

/** Answers to clients that cannot be connected. */
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

/** Accepts WebSockets of live editors on the port of the HTTP server. */
export function addRealtime(
  app: FastifyInstance,
  realtime: Realtime,
  { trustProxy, messageBytes = defaultLimits.messageBytes }: RealtimeOptions,
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
    if (request.url?.split('?')[0] !== REALTIME_PATH) {
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
  app.get(REALTIME_PATH, async (_request, reply) => {
    reply.header('upgrade', 'websocket');
    throw failedPrecondition('This address takes WebSocket connections of the Hocuspocus protocol.');
  });
}

/** Creates the HTTP server with the probes and the routes of the process's roles, without listening. */
export async function startServer(
  deps: Booted,
  probes: Probes,
  /** A feed stands for the role realtime. */
  serves: { api: boolean; feed: Feed | undefined; web?: WebApp | undefined },
  onWritten?: () => void,
): Promise<FastifyInstance> {
  const peers = createPeers({ bus: deps.bus, channel: 'api' });
  const app = await createServer({
    deps,
    endpoints: serves.api ? routes.endpoints : [],
    files: serves.api ? routes.files : [],
    probes,
    authenticator: deps.authenticator,
    onWritten,
    processes: peers.count,
    metrics: collectMetrics(deps),
  });
  app.addHook('onClose', peers.stop);
  if (serves.api) {
    addOAuth(app, deps, deps.authenticator);
    await addDocs(app, routes, {
      publicUrl: deps.settings.publicUrl,
      start: serves.web ? 'console' : 'docs',
    });
    addMcp(app, deps);
  }
  if (serves.web) addConsole(app, serves.web);
  if (serves.feed) {
    addRealtime(app, deps.realtime, { trustProxy: deps.settings.trustProxy });
    addStreamRoute(app, deps, eventsOf(serves.feed));
  }
  return app;
}
