import { Gauge, type Metric } from 'prom-client';
import { createDatabaseMeters } from '../db/database-meters.ts';
import type { Deps } from '../deps.ts';
import { oldestWaitingMs } from '../events/outbox-relay.ts';
import { createQueueMeters, jobMeters } from '../jobs/job-meters.ts';
import { stallMeters } from '../lib/threads/watchdog.ts';
import { outsideMeters } from '../outside/net/outbound-meters.ts';
import { feedMeters } from '../realtime/feed/feed-meters.ts';
import { realtimeMeters } from '../realtime/protocol/editing-meters.ts';
import { reviewMeters } from '../review/run/run-meters.ts';
import { countRunning } from '../store/agents/executions.ts';
import { oldestUndeliveredMs } from '../store/webhooks/endpoint-health.ts';
import { webhookMeters } from '../webhooks/deliver/delivery-meters.ts';
import { JOBS } from './jobs/index.ts';

type MeterDeps = Pick<Deps, 'db' | 'database' | 'storage'>;

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

/** The metrics of all parts except http, which adds those of requests. */
export const createMeters = ({ db, database, storage }: MeterDeps): Metric[] => [
  ...storage.meters,
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
  ...createQueueMeters(
    db,
    JOBS.map(({ name }) => name),
  ),
  ...createDatabaseMeters(database.pool),
  ...jobMeters,
  ...reviewMeters,
  ...outsideMeters,
  ...webhookMeters,
  ...realtimeMeters,
  ...feedMeters,
  ...stallMeters,
];
