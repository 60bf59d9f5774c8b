import { Counter, Gauge, Histogram } from 'prom-client';
import type { Db } from '../db/tables.ts';
import { listQueues, type QueueState } from './waiting.ts';

export const jobsFailed = new Counter({
  name: 'redpen_jobs_failed_total',
  help: 'Jobs that failed on their last attempt, by queue.',
  labelNames: ['queue'],
  registers: [],
});

export const choreFailures = new Counter({
  name: 'redpen_chore_failures_total',
  help: 'Maintenance chores that failed, by name. A failure does not affect other chores.',
  labelNames: ['chore'],
  registers: [],
});

export const jobSeconds = new Histogram({
  name: 'redpen_job_duration_seconds',
  help: 'Time of one attempt of a job, failed or not, by queue.',
  labelNames: ['queue'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600],
  registers: [],
});

export const prunedRows = new Counter({
  name: 'redpen_pruned_rows_total',
  help: 'Rows removed because they were older than the settings keep them, by kind: runs, screenshots, run_logs, notifications, activities, events, deliveries.',
  labelNames: ['kind'],
  registers: [],
});

export const jobMetrics = [jobsFailed, jobSeconds, choreFailures, prunedRows];

/** Waiting and running jobs of each queue, queried once each time that metrics are read. */
export function createQueueMetrics(db: Db, queues: readonly string[]): Gauge<'queue'>[] {
  let pending: Promise<QueueState[]> | undefined;
  const queryOnce = (): Promise<QueueState[]> => {
    pending ??= listQueues(db).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const gauge = (name: string, help: string, read: (queue: QueueState) => number): Gauge<'queue'> =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [],
      async collect() {
        const states = new Map((await queryOnce()).map((state) => [state.name, state]));
        for (const queue of queues) {
          const state = states.get(queue);
          this.set({ queue }, state ? read(state) : 0);
        }
      },
    });
  return [
    gauge('redpen_jobs_waiting', 'Jobs that are due and not started, by queue.', ({ waiting }) => waiting),
    gauge(
      'redpen_jobs_oldest_waiting_seconds',
      'Time since the oldest waiting job is due, by queue.',
      ({ oldestSeconds }) => oldestSeconds,
    ),
    gauge('redpen_jobs_running', 'Jobs in progress, by queue.', ({ running }) => running),
  ];
}
