import type { FastifyInstance } from 'fastify';
import { files } from '../api/files.ts';
import { endpoints } from '../api/index.ts';
import type { Deps } from '../deps.ts';
import type { Probes } from '../http/probes.ts';
import { addReference } from '../http/reference.ts';
import { createServer } from '../http/server.ts';

/** The HTTP server with every operation and their reference, not listening yet. */
export async function startApi(deps: Deps, probes: Probes): Promise<FastifyInstance> {
  const app = await createServer({ deps, endpoints, files, probes });
  await addReference(app, endpoints, files);
  return app;
}
