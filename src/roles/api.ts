import type { FastifyInstance } from 'fastify';
import { files } from '../api/files.ts';
import { endpoints } from '../api/index.ts';
import type { Booted } from '../boot.ts';
import type { Probes } from '../http/probes.ts';
import { addReference } from '../http/reference.ts';
import { createServer } from '../http/server.ts';
import { addRealtime } from './realtime.ts';

/** The HTTP server with what the roles of this process serve, and the probes; not listening yet. */
export async function startServer(
  deps: Booted,
  probes: Probes,
  serves: { api: boolean; realtime: boolean },
): Promise<FastifyInstance> {
  const app = await createServer({
    deps,
    endpoints: serves.api ? endpoints : [],
    files: serves.api ? files : [],
    probes,
    authenticator: deps.authenticator,
  });
  if (serves.api) await addReference(app, endpoints, files);
  if (serves.realtime) addRealtime(app, deps.realtime);
  return app;
}
