import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { createDatabaseMeters, type PoolState } from '../db/database-meters.ts';
import type { Db } from '../db/tables.ts';
import { oldestWaitingMs } from '../events/relay.ts';
import { createQueueMeters, jobMeters } from '../jobs/job-meters.ts';
import { stallMeters } from '../lib/threads/watchdog.ts';
import { ownVersion } from '../lib/version.ts';
import { outsideMeters } from '../outside/outbound-meters.ts';
import { feedMeters } from '../realtime/feed/feed-meters.ts';
import { realtimeMeters } from '../realtime/protocol/editing-meters.ts';
import { reviewMeters } from '../review/core/run-meters.ts';
import { oldestUndeliveredMs } from '../store/webhooks/endpoint-health.ts';
import { webhookMeters } from '../webhooks/deliver/delivery-meters.ts';

export interface Metrics {
  observe(method: string, route: string, statusCode: number, seconds: number): void;
  print(): Promise<string>;
  /** All there are, in the order of their names. */
  list(): MetricDoc[];
  contentType: string;
}

export interface MetricDoc {
  name: string;
  type: string;
  help: string;
  labels: string[];
}

/** What Prometheus reads at /metrics. Paths are those of operations, never what a client sent. */
export function createMetrics(
  { db, pool }: { db: Db; pool: () => PoolState },
  meters: readonly Metric[],
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { version, commit } = ownVersion();
  new Gauge({
    name: 'redpen_build_info',
    help: 'Always 1; version and commit of this process stand in its labels.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version, commit: commit ?? 'unknown' }, 1);
  // Its name and labels are those that ready dashboards look for.
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by method, route (the path of the operation) and HTTP status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'redpen_events_oldest_waiting_seconds',
    help: 'Age of the oldest event that has not been handed on.',
    registers: [registry],
    async collect() {
      this.set((await oldestWaitingMs(db)) / 1_000);
    },
  });
  new Gauge({
    name: 'redpen_webhook_oldest_undelivered_seconds',
    help: 'Age of the oldest message that an endpoint still waits for, tried in vain or not tried yet.',
    registers: [registry],
    async collect() {
      this.set((await oldestUndeliveredMs(db)) / 1_000);
    },
  });
  for (const meter of [
    ...meters,
    ...createQueueMeters(db),
    ...createDatabaseMeters(pool),
    ...jobMeters,
    ...reviewMeters,
    ...outsideMeters,
    ...webhookMeters,
    ...realtimeMeters,
    ...feedMeters,
    ...stallMeters,
  ])
    registry.registerMetric<string>(meter);
  new Gauge({
    name: 'redpen_executions_running',
    help: 'Agent executions that have not ended.',
    registers: [registry],
    async collect() {
      const row = await db
        .selectFrom('executions')
        .select((eb) => eb.fn.countAll<number>().as('running'))
        .where('status', '=', 'running')
        .executeTakeFirstOrThrow();
      this.set(Number(row.running));
    },
  });
  return {
    observe(method, route, statusCode, seconds) {
      duration.observe({ method, route, status: statusCode }, seconds);
    },
    list: () => describe(registry),
    print: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Without those that prom-client has of every Node process. */
function describe(registry: Registry): MetricDoc[] {
  return registry
    .getMetricsAsArray()
    .map((metric) => metric as unknown as MetricDoc & { labelNames: string[] })
    .filter(({ name }) => !/^(process|nodejs)_/.test(name))
    .map(({ name, type, help, labelNames }) => ({ name, type, help, labels: [...labelNames] }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
