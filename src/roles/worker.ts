import { logComments } from '../activities/log-comments.ts';
import type { Booted } from '../boot.ts';
import { logFault } from '../db/log-fault.ts';
import { oldestWaitingMs, startRelay } from '../events/relay.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { Readiness } from '../http/probes.ts';
import type { JobHandlers, Jobs } from '../jobs/queue.ts';
import { startEmbedding } from '../memory/embed-judgments.ts';
import { indexJudgments } from '../memory/index-judgments.ts';
import { consolidateDue } from '../memory/insights/consolidate-due.ts';
import { workOnKnowledge } from '../memory/knowledge/work-on-knowledge.ts';
import { followThreads } from '../notifications/follow-threads.ts';
import { carrierOf } from '../notifications/mail-transport.ts';
import { notifyOfComments } from '../notifications/notify-of-comments.ts';
import { queueNotificationMails } from '../notifications/queue-mails.ts';
import { sendMails } from '../notifications/send-mails.ts';
import { recordLiveEvents } from '../realtime/feed/record-live-events.ts';
import { startUpkeep } from '../realtime/log/compaction.ts';
import { runExecution } from '../review/run/run.ts';
import { expireAllLeases, longestSilenceMs, takeUpSilentRuns } from '../store/agents/execution-leases.ts';
import { runMigration, takeUpMigrations } from '../store/documents/document-migrations.ts';
import { releaseContents, takeUpKnowledge } from '../store/knowledge/knowledge-contents.ts';
import { endAllClaims } from '../store/memory/judgment-embedding.ts';
import { getServiceConfig } from '../store/platform/service-configs.ts';
import { runDeletion, takeUpDeletions } from '../store/privacy/data-deletions.ts';
import { longestUnattendedMs } from '../store/webhooks/endpoint-health.ts';
import { endAllLeases } from '../store/webhooks/lanes.ts';
import { fanOutToWebhooks } from '../webhooks/compose/fan-out.ts';
import { startDeliverer } from '../webhooks/deliver/deliverer.ts';
import { mailOwner } from '../webhooks/deliver/mail-owner.ts';
import {
  type Chore,
  countSoon,
  countStoredBytes,
  DAILY,
  OFTEN,
  repeatChores,
  runChores,
} from './maintenance.ts';

export interface Worker {
  readiness(): Promise<Pick<Readiness, 'faults' | 'warnings'>>;
  /** Tells that something was written, which others may wait to hear of. */
  wake(): void;
  stop(): Promise<void>;
}

const STANDS_STILL_MS = 15_000;
const EVENTS_STAND_STILL_MS = 60_000;
const WEBHOOKS_STAND_STILL_MS = 60_000;
const RUNS_STAND_STILL_MS = 120_000;
/** A look takes as long as what it folds. */
const EDITORS_STAND_STILL_MS = 60_000;
/** A look takes as long as the model does with what it finds. */
const JUDGMENTS_STAND_STILL_MS = 180_000;
const REQUEUE_EVERY_MS = 10_000;
const OFTEN_EVERY_MS = 10_000;

/** What enqueues work anew whose process died, or whose job was lost. */
const REQUEUE: readonly Chore<Booted>[] = [
  {
    name: 'requeue executions',
    async run({ db, jobs, log }) {
      const executionIds = await takeUpSilentRuns(db, jobs);
      if (executionIds.length > 0) log.warn({ executionIds }, 'runs of silent processes are enqueued anew');
    },
  },
  {
    name: 'requeue migrations',
    async run({ db, jobs, log }) {
      const migrationIds = await takeUpMigrations(db, jobs);
      if (migrationIds.length > 0)
        log.warn({ migrationIds }, 'document migrations that stood still are enqueued anew');
    },
  },
  {
    name: 'requeue data deletions',
    async run({ db, jobs, log }) {
      const deletionIds = await takeUpDeletions(db, jobs);
      if (deletionIds.length > 0)
        log.warn({ deletionIds }, 'data deletions that stood still are enqueued anew');
    },
  },
  {
    name: 'requeue knowledge',
    run: ({ db, jobs, outside }) => takeUpKnowledge(db, jobs, outside.embeddings.current.model),
  },
];

/** Who hears of events; each writes rows or enqueues jobs of its own. */
const subscribersOf = (jobs: Jobs): Subscriber[] => [
  logComments,
  notifyOfComments,
  followThreads,
  queueNotificationMails(jobs),
  fanOutToWebhooks,
  recordLiveEvents,
];

/** Relays events and works on jobs. */
export async function startWorker(deps: Booted): Promise<Worker> {
  const { db, log, jobs, database } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const untilDone = async (work: Promise<void>): Promise<void> => {
    running.add(work);
    await work.finally(() => running.delete(work));
  };
  const handlers: JobHandlers = {
    'agent.run': (ref) => untilDone(runExecution(ref, deps, stopping.signal)),
    'document.migrate': (ref) =>
      untilDone(runMigration(db, ref, stopping.signal)).catch((error: unknown) =>
        logFault(log, error, 'document migration fails', { migrationId: ref.migrationId }),
      ),
    'user.data_delete': (ref) =>
      untilDone(runDeletion(db, jobs, ref, stopping.signal)).catch((error: unknown) =>
        logFault(log, error, 'data deletion fails', { jobId: ref.jobId }),
      ),
    'notification.email': (ref) => untilDone(sendMails(deps, ref, stopping.signal)),
    'webhook.owner_email': (notice) =>
      mailOwner(
        {
          db,
          log,
          mail: deps.outside.mail,
          carrierOf: async (scope) =>
            carrierOf(deps.keyring, scope.apiKeyId, await getServiceConfig(db, scope, 'email')),
        },
        notice,
      ),
    'memory.consolidate': (asked) => untilDone(consolidateDue(deps, asked, stopping.signal)),
    'memory.index': () => untilDone(indexJudgments(deps, stopping.signal)),
    'memory.knowledge_ingest': (ref) =>
      untilDone(workOnKnowledge(ref, deps, stopping.signal)).catch((error: unknown) =>
        logFault(log, error, 'knowledge cannot be worked on', { contentId: ref.contentId }),
      ),
    'maintenance.count_stored': () => untilDone(countStoredBytes(deps, stopping.signal)),
    'maintenance.prune': async () => {
      const failed = await runChores(DAILY, deps);
      // The queue tries again, since what is not removed piles up.
      if (failed.length > 0) throw new Error(`Chores failed: ${failed.join(', ')}.`);
    },
  };

  if (database.kind === 'embedded') {
    await expireAllLeases(db);
    await endAllLeases(db);
    await endAllClaims(db);
    await releaseContents(db);
  }
  await takeUpMigrations(db, jobs, 0);
  await takeUpDeletions(db, jobs, 0);
  await runChores(REQUEUE, deps);
  const stopRequeuing = repeatChores(REQUEUE, deps, REQUEUE_EVERY_MS);
  // A count may take minutes, and what is to be requeued must not wait for it.
  const stopCounting = repeatChores(OFTEN, deps, OFTEN_EVERY_MS);
  const deliverer = startDeliverer(deps);
  const upkeep = startUpkeep(deps);
  const embedding = startEmbedding(deps);
  const relay = startRelay(db, subscribersOf(jobs), {
    onError(error, context) {
      deps.storage.note(error);
      logFault(log, error, 'event relay fails', { ...context });
    },
    onRelayed: () => deliverer.wake(),
  });
  await jobs.work(handlers);
  await countSoon(deps, Date.now());

  return {
    async readiness() {
      const standsStill =
        Date.now() - relay.health().lastLookAt > STANDS_STILL_MS ||
        (await oldestWaitingMs(db)) > EVENTS_STAND_STILL_MS;
      const nothingDelivered =
        Date.now() - deliverer.health().lastLookAt > STANDS_STILL_MS ||
        (await longestUnattendedMs(db)) > WEBHOOKS_STAND_STILL_MS;
      const silentMs = await longestSilenceMs(db);
      const queues = await jobs.health(db);
      const faults = [
        ...(standsStill ? ['The event relay stands still.'] : []),
        ...(Date.now() - upkeep.health().lastLookAt > EDITORS_STAND_STILL_MS
          ? ['Nobody looks after live editors.']
          : []),
        // A provider that is down is no fault of this process, and the log tells of it.
        ...(Date.now() - embedding.health().lastLookAt > JUDGMENTS_STAND_STILL_MS
          ? ['Judgments wait that nobody embeds.']
          : []),
        ...(nothingDelivered ? ['Webhooks are due that nobody delivers.'] : []),
        ...(jobs.isRunning() ? [] : ['No jobs are worked on.']),
        ...queues.faults,
        ...(silentMs > RUNS_STAND_STILL_MS ? ['Runs wait that nobody takes up.'] : []),
      ];
      return { faults, warnings: queues.warnings };
    },
    wake: () => relay.wake(),
    async stop() {
      stopRequeuing();
      stopCounting();
      stopping.abort(new Error('The process is stopping.'));
      await Promise.allSettled([relay.stop(), deliverer.stop(), upkeep.stop(), embedding.stop(), ...running]);
      await jobs.stop(2_000);
    },
  };
}
