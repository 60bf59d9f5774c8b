import type { FastifyInstance } from 'fastify';
import { files } from '../api/files.ts';
import { endpoints } from '../api/index.ts';
import type { Booted } from '../boot.ts';
import { addEventStream } from '../http/event-stream.ts';
import { addReference } from '../http/openapi/reference.ts';
import type { Probes } from '../http/probes.ts';
import { createServer } from '../http/server.ts';
import type { Feed } from '../realtime/feed/feed.ts';
import { createPeers } from '../realtime/log/peers.ts';
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
    endpoints: serves.api ? endpoints : [],
    files: serves.api ? files : [],
    probes,
    authenticator: deps.authenticator,
    onWritten,
    processes: peers.count,
  });
  app.addHook('onClose', peers.stop);
  if (serves.api) await addReference(app, endpoints, files, deps.settings.publicUrl);
  if (serves.feed) {
    addRealtime(app, deps.realtime, { trustProxy: deps.settings.trustProxy });
    addEventStream(app, { feed: serves.feed });
  }
  return app;
}
