import { Gauge, type Metric } from 'prom-client';
import { createReplicaMetrics } from '../db/connections/replica-metrics.ts';
import { createDatabaseMetrics } from '../db/database-metrics.ts';
import type { Deps } from '../deps.ts';
import { oldestWaitingMs } from '../events/outbox-relay.ts';
import { createQueueMetrics, jobMetrics } from '../jobs/job-metrics.ts';
import { stallMetrics } from '../lib/threads/watchdog.ts';
import { toolMetrics } from '../mcp/http/tool-metrics.ts';
import { outsideMetrics } from '../outside/net/outbound-metrics.ts';
import { feedMetrics } from '../realtime/feed/feed-metrics.ts';
import { realtimeMetrics } from '../realtime/protocol/editing-metrics.ts';
import { reviewMetrics } from '../review/run/run-metrics.ts';
import { countRunning } from '../store/agents/executions.ts';
import { KEY_KINDS, listKeyAges } from '../store/keys/key-ages.ts';
import { oldestUndeliveredMs } from '../store/webhooks/endpoint-health.ts';
import { webhookMetrics } from '../webhooks/deliver/delivery-metrics.ts';
import { backupMetrics } from './backup/scheduled-backups.ts';
import { JOBS } from './jobs/index.ts';

type MetricDeps = Pick<Deps, 'db' | 'database' | 'storage'>;

/** A gauge that is read from the database each time metrics are read. */
const queried = (name: string, help: string, read: () => Promise<number>): Gauge =>
  new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      this.set(await read());
    },
  });

/** The age of the oldest key of each kind; 0 if there is none. */
const keyAges = (db: MetricDeps['db']): Gauge =>
  new Gauge({
    name: 'redpen_key_age_seconds',
    help: 'Age of the oldest key in use, by kind: master_key, signing_key, workspace_token, api_key_token, webhook_secret; 0 without any.',
    labelNames: ['kind'],
    registers: [],
    async collect() {
      const ages = new Map((await listKeyAges(db, 0)).map(({ kind, oldestAt }) => [kind, oldestAt]));
      for (const kind of KEY_KINDS) {
        const oldestAt = ages.get(kind) ?? undefined;
        this.set({ kind }, oldestAt === undefined ? 0 : Math.max(0, (Date.now() - oldestAt) / 1_000));
      }
    },
  });

/** The metrics of all parts except http, which adds those of requests. */
export const collectMetrics = ({ db, database, storage }: MetricDeps): Metric[] => [
  ...storage.metrics,
  queried(
    'redpen_events_oldest_waiting_seconds',
    'Age of the oldest event in the outbox that has not been relayed.',
    async () => (await oldestWaitingMs(db)) / 1_000,
  ),
  queried(
    'redpen_webhook_oldest_undelivered_seconds',
    'Age of the oldest message that is not delivered yet, attempted or not.',
    async () => (await oldestUndeliveredMs(db)) / 1_000,
  ),
  queried(
    'redpen_executions_running',
    'Agent executions that have not ended, including those that wait for a worker.',
    () => countRunning(db),
  ),
  keyAges(db),
  ...createQueueMetrics(
    db,
    JOBS.map(({ name }) => name),
  ),
  ...createDatabaseMetrics(database.pool),
  ...createReplicaMetrics(database.replicas),
  ...jobMetrics,
  ...reviewMetrics,
  ...outsideMetrics,
  ...webhookMetrics,
  ...realtimeMetrics,
  ...feedMetrics,
  ...toolMetrics,
  ...stallMetrics,
  ...backupMetrics,
];
