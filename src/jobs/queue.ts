import { PgBoss, type Db as QueueDatabase } from 'pg-boss';
import type { Database } from '../db/connections/connect.ts';
import type { Db, Tx } from '../db/tables.ts';
import { currentTraceparent } from '../lib/tracing/tracing.ts';
import type { AnyJobKind, JobName, JobPayload } from './job.ts';
import { createJobLoops, type JobHandlers, type LoopOptions } from './job-loops.ts';
import { jobsFailed } from './job-metrics.ts';
import {
  indexWaitingJobs,
  listDueQueues,
  listQueues,
  nextTurn,
  type QueueState,
  SCHEMA,
  tooManyWaiting,
  turnOf,
} from './waiting.ts';

interface EnqueueOptions {
  runAt?: Date;
  /** The job was begun before or was lost: it goes ahead of waiting jobs and is never refused. */
  isReturned?: boolean;
  /** The next part of work that has been begun: it takes its turn and is never refused. */
  isContinued?: boolean;
}

/** Background work that is enqueued in the transaction that needs it. */
export interface Jobs {
  /** Throws RESOURCE_EXHAUSTED if too many jobs of this kind wait for the API key already. */
  enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayload<Name>,
    options?: EnqueueOptions,
  ): Promise<void>;
}

export interface JobQueue extends Jobs {
  /** Starts to take jobs. */
  work(handlers: JobHandlers): Promise<void>;
  /** Calls back after each job of this process. */
  onEnded(listener: () => void): void;
  isRunning(): boolean;
  /** True while jobs that store something are left waiting, once all loops that take them have ended. */
  isPaused(): boolean;
  /**
   * Sentences about queues whose oldest job waits too long: faults if this process has free capacity for it and does
   * not begin it, warnings if all capacity is in use.
   */
  health(db: Db): Promise<{ faults: string[]; warnings: string[] }>;
  /** Stops taking jobs and waits up to `graceMs` for running ones. */
  stop(graceMs: number): Promise<void>;
}

interface QueueOptions extends Partial<Omit<LoopOptions, 'onEnded' | 'listDue'>> {
  /** Jobs of a kind that may wait for one API key. Concurrent requests may exceed it by one each. */
  maxWaiting: number;
}

const BEGINS_WITHIN_SECONDS = 60;

/** pg-boss reports what fails in a worker as a plain object with the fields of the error. */
const asError = (reported: unknown): Error =>
  reported instanceof Error ? reported : Object.assign(new Error(), reported);

/** Creates the tables of the queue or migrates those of an earlier version, without running jobs. */
export async function prepareJobTables(db: QueueDatabase, onError: (error: Error) => void): Promise<void> {
  const boss = new PgBoss({ db, schema: SCHEMA, supervise: false, schedule: false });
  boss.on('error', (reported: unknown) => onError(asError(reported)));
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}

/** Starts pg-boss on the same database and creates its queues. */
export async function startJobQueue(
  database: Database,
  jobs: readonly AnyJobKind[],
  onError: (error: Error) => void,
  { maxWaiting, pollSeconds = 2, storage, onFailed = () => {} }: QueueOptions,
): Promise<JobQueue> {
  const kinds = new Map<JobName, AnyJobKind>(jobs.map((kind) => [kind.name, kind]));
  const boss = new PgBoss({
    db: database.forJobs,
    useListenNotify: true,
    schema: SCHEMA,
    // Schedules are hourly or daily, and there are no flows of jobs.
    cronWorkerIntervalSeconds: 30,
    flowIntervalSeconds: 300,
  });
  boss.on('error', (reported: unknown) => onError(asError(reported)));
  await boss.start();
  await indexWaitingJobs(database.db);
  await createQueues(boss, jobs);
  // Each series begins at 0: an alert on an increase does not notice a series that appears with its first count.
  for (const { name } of jobs) jobsFailed.inc({ queue: name }, 0);
  const ended = new Set<() => void>();
  const loops = createJobLoops(boss, kinds, onError, {
    pollSeconds,
    storage,
    onFailed,
    onEnded() {
      for (const listener of ended) listener();
    },
    listDue: () => listDueQueues(database.db, [...kinds.keys()]),
  });

  return {
    async enqueue(tx, name, payload, options = {}) {
      const { subject, plural } = kinds.get(name)!;
      const fields = payload as Record<string, unknown>;
      const apiKeyId = typeof fields.apiKeyId === 'string' ? fields.apiKeyId : undefined;
      const priority =
        apiKeyId === undefined
          ? undefined
          : await priorityOf(tx, { name, plural, apiKeyId, maxWaiting }, options);
      // The payload is parsed by its schema, which leaves the trace out.
      const traceparent = currentTraceparent();
      await boss.send(
        name,
        { ...payload, ...(traceparent !== undefined && { traceparent }) },
        {
          db: database.inTransaction(tx),
          ...(options.runAt && { startAfter: options.runAt }),
          ...(priority !== undefined && { priority }),
          ...(apiKeyId !== undefined && { group: { id: apiKeyId } }),
          ...(subject !== undefined && { singletonKey: String(fields[subject]) }),
        },
      );
    },
    work: loops.start,
    onEnded: (listener) => void ended.add(listener),
    isRunning: loops.isRunning,
    isPaused: loops.isPaused,
    async health(db) {
      const faults: string[] = [];
      const warnings: string[] = [];
      for (const queue of await listQueues(db)) {
        const beginsWithin = kinds.get(queue.name as JobName)?.beginsWithinSeconds ?? BEGINS_WITHIN_SECONDS;
        if (queue.oldestSeconds <= beginsWithin) continue;
        if (loops.isStuck(queue.name as JobName, beginsWithin))
          faults.push(describeQueue(queue, 'is stalled'));
        else warnings.push(describeQueue(queue, 'is behind'));
      }
      return { faults, warnings };
    },
    async stop(graceMs) {
      loops.stop();
      await boss.stop({ graceful: true, close: false, timeout: graceMs });
    },
  };
}

async function createQueues(boss: PgBoss, jobs: readonly AnyJobKind[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const { name, retries, timeoutSeconds } of jobs) {
    const options = {
      retryLimit: retries,
      retryBackoff: retries > 0,
      expireInSeconds: Math.min(timeoutSeconds, 86_399),
      deleteAfterSeconds: 3_600,
      notify: retries === 0,
    };
    if (known.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }
}

interface Waiter {
  name: JobName;
  plural: string | undefined;
  apiKeyId: string;
  maxWaiting: number;
}

/** Priority of a new job of an API key. Throws RESOURCE_EXHAUSTED if too many of its jobs wait. */
async function priorityOf(
  tx: Tx,
  { name, plural, apiKeyId, maxWaiting }: Waiter,
  { isReturned = false, isContinued = false }: EnqueueOptions,
): Promise<number> {
  if (isReturned) return await nextTurn(tx, name);
  const isBounded = plural !== undefined && !isContinued;
  const turn = await turnOf(tx, name, apiKeyId, isBounded ? maxWaiting : 0);
  if (isBounded && turn.waiting >= maxWaiting) {
    throw await tooManyWaiting(tx, name, apiKeyId, plural, maxWaiting);
  }
  return turn.priority;
}

const describeQueue = ({ name, oldestSeconds }: QueueState, state: string): string =>
  `The job queue ${name} ${state}: its oldest job has waited for ${Math.round(oldestSeconds)} s.`;
