import { logComments } from '../activities/log-comments.ts';
import type { Booted } from '../boot.ts';
import { logFault } from '../db/log-fault.ts';
import { oldestWaitingMs, startRelay } from '../events/outbox-relay.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { Jobs } from '../jobs/queue.ts';
import { startEmbedding } from '../memory/embedding/embedding-worker.ts';
import { followThreads } from '../notifications/follow-threads.ts';
import { notifyOfComments } from '../notifications/notify-of-comments.ts';
import { queueNotificationMails } from '../notifications/queue-mails.ts';
import { recordLiveEvents } from '../realtime/feed/record-live-events.ts';
import { startCompaction } from '../realtime/log/compaction.ts';
import { longestExpiredLeaseMs } from '../store/agents/execution-leases.ts';
import { longestUnattendedMs } from '../store/webhooks/endpoint-health.ts';
import { fanOutToWebhooks } from '../webhooks/compose/fan-out.ts';
import { startDeliverer } from '../webhooks/deliver/deliverer.ts';

export interface Findings {
  /** Sentences about why a part does not do its work. */
  faults: string[];
  warnings: string[];
}

/** A part that works in the background for as long as its process runs. */
export interface Engine {
  /** Finds out if it works, for /ready. */
  check(): Promise<Findings>;
  stop?(): Promise<unknown>;
}

const LOOP_LATE_MS = 15_000;
const EVENTS_LATE_MS = 60_000;
const WEBHOOKS_LATE_MS = 60_000;
const EXECUTIONS_LATE_MS = 120_000;
/** One round takes as long as the documents that it compacts. */
const COMPACTION_LATE_MS = 60_000;
/** One round takes as long as the model needs for its judgments. */
const EMBEDDING_LATE_MS = 180_000;

/** Subscribers of the event relay. Each writes rows or enqueues jobs. */
export const subscribersOf = (jobs: Jobs): Subscriber[] => [
  logComments,
  notifyOfComments,
  followThreads,
  queueNotificationMails(jobs),
  fanOutToWebhooks,
  recordLiveEvents,
];

const faultIf = (isLate: boolean, fault: string): Findings => ({
  faults: isLate ? [fault] : [],
  warnings: [],
});

const isOlder = (at: number, ms: number): boolean => Date.now() - at > ms;

/** Starts the engines of a worker. Health checks and the stop work on the list, so that a new engine is one entry. */
export function startEngines(deps: Booted): { engines: readonly Engine[]; wake(): void } {
  const { db, log, jobs } = deps;
  const deliverer = startDeliverer(deps);
  const compaction = startCompaction(deps);
  const embedding = startEmbedding(deps);
  const relay = startRelay(db, subscribersOf(jobs), {
    onError(error, context) {
      deps.storage.note(error);
      logFault(log, error, 'event relay fails', { ...context });
    },
    onRelayed(reached) {
      if (reached.has(fanOutToWebhooks.name)) deliverer.wake();
      embedding.quicken();
    },
  });
  const engines: readonly Engine[] = [
    {
      check: async () =>
        faultIf(
          isOlder(relay.health().lastPollAt, LOOP_LATE_MS) || (await oldestWaitingMs(db)) > EVENTS_LATE_MS,
          'The event relay is stalled.',
        ),
      stop: relay.stop,
    },
    {
      check: async () =>
        faultIf(
          isOlder(compaction.health().lastPollAt, COMPACTION_LATE_MS),
          'The compaction of live documents is stalled.',
        ),
      stop: compaction.stop,
    },
    {
      // An unreachable provider is no fault of this process; the log reports it.
      check: async () =>
        faultIf(
          isOlder(embedding.health().lastPollAt, EMBEDDING_LATE_MS),
          'The embedding of judgments is stalled.',
        ),
      stop: embedding.stop,
    },
    {
      check: async () =>
        faultIf(
          isOlder(deliverer.health().lastPollAt, LOOP_LATE_MS) ||
            (await longestUnattendedMs(db)) > WEBHOOKS_LATE_MS,
          'The delivery of webhooks is stalled.',
        ),
      stop: deliverer.stop,
    },
    {
      // Stopped by the worker, after the jobs that it runs.
      async check() {
        const { faults, warnings } = await jobs.health(db);
        const stopped = jobs.isRunning() ? [] : ['The job queue is not running.'];
        const silent = (await longestExpiredLeaseMs(db)) > EXECUTIONS_LATE_MS;
        return {
          faults: [
            ...stopped,
            ...faults,
            ...(silent ? ['Executions with an expired lease are not requeued.'] : []),
          ],
          warnings,
        };
      },
    },
  ];
  return {
    engines,
    wake() {
      relay.wake();
      for (const engine of [deliverer, compaction, embedding]) engine.quicken();
    },
  };
}
