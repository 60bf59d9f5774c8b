import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { within } from '../../lib/time.ts';
import { ownVersion } from '../../lib/version.ts';
import type { Metrics } from './metrics.ts';

/** State of one dependency of the process. It is public, so it has no paths or addresses. */
export interface ReadyCheck {
  name: string;
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** A sentence about the problem, if any. */
  message?: string;
  /** Start of this status in epoch milliseconds. */
  since: number;
}

export interface Readiness {
  /** Sentences about why this process cannot do its work; empty if it is ready. */
  faults: string[];
  /** Sentences about failures for which requests need not go to another node. */
  warnings: string[];
  /** True if a dependency does not work. Default false. */
  isDegraded?: boolean;
  checks?: ReadyCheck[];
}

export interface Probes {
  readiness(): Promise<Readiness>;
}

/** Routes for load balancers, monitoring and verifiers of user tokens. */
export function addProbes(app: FastifyInstance, deps: Deps, metrics: Metrics, probes: Probes): void {
  app.get('/live', { exposeHeadRoute: true }, async (_request, reply) => reply.send({ status: 'ok' }));
  app.get('/health', { exposeHeadRoute: true }, async (_request, reply) => {
    await deps.db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
    return reply.send({ status: 'ok', ...ownVersion() });
  });
  app.get('/ready', { exposeHeadRoute: true }, async (_request, reply) => {
    const { faults, warnings, isDegraded = false, checks = [] } = await readinessInTime(probes);
    if (faults.length === 0) {
      // With 503, a load balancer would also take down everything that still works.
      return reply.send({ status: isDegraded ? 'degraded' : 'ready', faults, warnings, checks });
    }
    // Warnings would distract from the faults.
    return reply.code(503).send({ status: 'not ready', faults, warnings: [], checks });
  });
  app.get('/metrics', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.print()),
  );
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=60')
      .header('access-control-allow-origin', '*')
      .send(await deps.userTokens.publicKeys()),
  );
}

const READY_WITHIN_MS = 5_000;

/** Reports within a time limit, even if the database does not respond. */
const readinessInTime = (probes: Probes): Promise<Readiness> =>
  within(READY_WITHIN_MS, probes.readiness(), {
    faults: ['The database does not answer in time.'],
    warnings: [],
  });
