import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { Db } from '../db/tables.ts';
import { oldestWaitingMs } from '../events/relay.ts';
import { createQueueMeters } from '../jobs/meters.ts';
import { stallMeters } from '../lib/watchdog.ts';
import { feedMeters } from '../realtime/feed/meters.ts';
import { realtimeMeters } from '../realtime/meters.ts';
import { oldestUndeliveredMs } from '../store/webhook-health.ts';
import { webhookMeters } from '../webhooks/meters.ts';

export interface Metrics {
  observe(method: string, route: string, statusCode: number, seconds: number): void;
  print(): Promise<string>;
  contentType: string;
}

/** What Prometheus reads at /metrics. Paths are those of operations, never what a client sent. */
export function createMetrics(db: Db, meters: readonly Metric[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'redpen_' });
  const requests = new Counter({
    name: 'redpen_http_requests_total',
    help: 'Requests answered, by operation and HTTP status.',
    labelNames: ['path', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'redpen_http_request_duration_seconds',
    help: 'Time from request to answer, by operation.',
    labelNames: ['path'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
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
        .select(sql<number>`count(*)`.as('running'))
        .where('status', '=', 'running')
        .executeTakeFirstOrThrow();
      this.set(Number(row.running));
    },
  });
  return {
    observe(path, statusCode, seconds) {
      requests.inc({ path, status: String(statusCode) });
      duration.observe({ path }, seconds);
    },
    print: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
