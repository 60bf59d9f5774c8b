import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { within } from '../../lib/time.ts';
import { ownVersion } from '../../lib/version.ts';
import type { Metrics } from './metrics.ts';

/** State of one dependency of the process. It is public, so it has no paths or addresses. */
export interface ReadyCheck {
  name: string;
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** A sentence, where something is wrong. */
  message?: string;
  /** Since when it has this status, in epoch ms. */
  since: number;
}

export interface Readiness {
  /** What keeps this process from doing its work, in words; none when it is ready. */
  faults: string[];
  /** Failures that are no reason to send requests to another node. */
  warnings: string[];
  /** True where something does not work. Default false. */
  isDegraded?: boolean;
  checks?: ReadyCheck[];
}

export interface Probes {
  readiness(): Promise<Readiness>;
}

/** What the operator's machinery asks of a process, and what others need to check its user tokens. */
export function addProbes(app: FastifyInstance, deps: Deps, metrics: Metrics, probes: Probes): void {
  app.get('/health', { exposeHeadRoute: true }, async (_request, reply) => {
    await deps.db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
    return reply.send({ status: 'ok', ...ownVersion() });
  });
  app.get('/ready', { exposeHeadRoute: true }, async (_request, reply) => {
    const { faults, warnings, isDegraded = false, checks = [] } = await readinessInTime(probes);
    if (faults.length === 0) {
      // A load balancer that took 503 for an answer would take down all that still works.
      return reply.send({ status: isDegraded ? 'degraded' : 'ready', faults, warnings, checks });
    }
    // What is wrong says more than what is slow.
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

/** Whoever asks wants an answer, also while a locked table gives none. */
const readinessInTime = (probes: Probes): Promise<Readiness> =>
  within(READY_WITHIN_MS, probes.readiness(), {
    faults: ['The database does not answer in time.'],
    warnings: [],
  });
