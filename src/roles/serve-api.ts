import type { FastifyInstance } from 'fastify';
import { eventsOf } from '../api/events.ts';
import { routes } from '../api/index.ts';
import type { Booted } from '../boot.ts';
import { addReference } from '../http/openapi/reference.ts';
import type { Probes } from '../http/server/probes.ts';
import { createServer } from '../http/server/server.ts';
import { addStreamRoute } from '../http/server/stream-routes.ts';
import type { Feed } from '../realtime/feed/feed.ts';
import { createPeers } from '../realtime/log/peers.ts';
import { createMeters } from './meters.ts';
import { addRealtime } from './serve-realtime.ts';

/** The HTTP server with what the roles of this process serve, and the probes; not listening yet. With a feed it is
 * also for those who stay connected. */
export async function startServer(
  deps: Booted,
  probes: Probes,
  serves: { api: boolean; feed: Feed | undefined },
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
    meters: createMeters(deps),
  });
  app.addHook('onClose', peers.stop);
  if (serves.api) await addReference(app, routes, deps.settings.publicUrl);
  if (serves.feed) {
    addRealtime(app, deps.realtime, { trustProxy: deps.settings.trustProxy });
    addStreamRoute(app, eventsOf(serves.feed));
  }
  return app;
}
