import { Counter, Gauge } from 'prom-client';
import type { Db } from '../db/tables.ts';
import { jobs } from './job-catalog.ts';
import { listQueues, type QueueState } from './waiting.ts';

export const jobsFailed = new Counter({
  name: 'redpen_jobs_failed_total',
  help: 'Jobs that failed for good, after their last try, by queue.',
  labelNames: ['queue'],
  registers: [],
});

// Each series begins at 0: an alert on a rise does not see a series that appears with its first count.
for (const queue of Object.keys(jobs)) jobsFailed.inc({ queue }, 0);

export const choreFailures = new Counter({
  name: 'redpen_chore_failures_total',
  help: 'Chores of upkeep that failed, by name. Each fails alone.',
  labelNames: ['chore'],
  registers: [],
});

export const jobMeters = [jobsFailed, choreFailures];

/** What waits and runs in each queue, asked of the database once for each time that metrics are read. */
export function createQueueMeters(db: Db): Gauge<'queue'>[] {
  let asked: Promise<QueueState[]> | undefined;
  const ask = (): Promise<QueueState[]> => {
    asked ??= listQueues(db).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  const gauge = (name: string, help: string, read: (queue: QueueState) => number): Gauge<'queue'> =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [],
      async collect() {
        const states = new Map((await ask()).map((state) => [state.name, state]));
        for (const queue of Object.keys(jobs)) {
          const state = states.get(queue);
          this.set({ queue }, state ? read(state) : 0);
        }
      },
    });
  return [
    gauge('redpen_jobs_waiting', 'Jobs that are due and not begun, by queue.', ({ waiting }) => waiting),
    gauge(
      'redpen_jobs_oldest_waiting_seconds',
      'How long the first of them has been due, by queue.',
      ({ oldestSeconds }) => oldestSeconds,
    ),
    gauge('redpen_jobs_running', 'Jobs that a process works on, by queue.', ({ running }) => running),
  ];
}
