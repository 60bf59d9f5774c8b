import { type Job, type JobWithMetadata, PgBoss, type Db as QueueDatabase } from 'pg-boss';
import type { Database } from '../db/connect.ts';
import type { Db, Tx } from '../db/tables.ts';
import type { Fields } from '../lib/json.ts';
import { beginWork, endWork } from '../lib/threads/watchdog.ts';
import { type JobName, type JobPayload, jobs } from './job-catalog.ts';
import { jobsFailed } from './job-meters.ts';
import {
  indexWaitingJobs,
  listQueues,
  nextTurn,
  type QueueState,
  SCHEMA,
  tooManyWaiting,
  turnOf,
} from './waiting.ts';

export type JobHandler<Name extends JobName> = (
  payload: JobPayload<Name>,
  signal: AbortSignal,
) => Promise<void>;
export type JobHandlers = { [Name in JobName]: JobHandler<Name> };

interface EnqueueOptions {
  runAt?: Date;
  /** It was begun before, or was lost: it goes ahead of those that wait, and is never refused. */
  isReturned?: boolean;
  /** The next part of work that has been begun: it takes its turn, and is never refused. */
  isContinued?: boolean;
}

/** Background work that is enqueued in the transaction that calls for it. */
export interface Jobs {
  /** Throws RESOURCE_EXHAUSTED where too much of this kind waits for the API key already. */
  enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayload<Name>,
    options?: EnqueueOptions,
  ): Promise<void>;
}

export interface JobQueue extends Jobs {
  /** Begins to take jobs. */
  work(handlers: JobHandlers): Promise<void>;
  isRunning(): boolean;
  /** True while jobs that store something are left waiting. */
  isPaused(): boolean;
  /**
   * In sentences, the queues whose oldest job waits longer than it should: as faults where this process could begin it
   * and does not, and as warnings where there is more to do than processes to do it.
   */
  health(db: Db): Promise<{ faults: string[]; warnings: string[] }>;
  /** Takes no more jobs and waits up to `graceMs` for those at work. */
  stop(graceMs: number): Promise<void>;
}

interface QueueOptions {
  /** A job failed for good. */
  onFailed?: (failure: { queue: JobName; jobId: string; tries: number; error: unknown }) => void;
  /** How many jobs of a kind may wait for one API key. Requests at once may exceed it by one each. */
  mostWaiting: number;
  /** How often a queue in which nothing is due is looked at. */
  pollSeconds?: number;
  /** While nothing can be stored, jobs that store something are left waiting. */
  storage?: {
    faults(): string[];
    onChange(listener: (isRefusing: boolean) => void): () => void;
  };
}

interface Kind {
  payload: { parse(value: unknown): unknown };
  thing?: string;
  plural?: string;
  concurrency: number;
  schedule?: string;
  beginsWithinSeconds?: number;
  stores?: true;
}

const BEGINS_WITHIN_SECONDS = 60;

const beginsWithin = (name: JobName): number =>
  (jobs[name] as Kind | undefined)?.beginsWithinSeconds ?? BEGINS_WITHIN_SECONDS;

/** Makes the tables of the queue, or brings those of an earlier version up to date, and runs nothing. */
export async function prepareJobTables(db: QueueDatabase, onError: (error: Error) => void): Promise<void> {
  const boss = new PgBoss({ db, schema: SCHEMA, supervise: false, schedule: false });
  boss.on('error', onError);
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}

/** Starts pg-boss on the same database and makes its queues. */
export async function startJobQueue(
  database: Database,
  onError: (error: Error) => void,
  { mostWaiting, pollSeconds = 2, storage, onFailed = () => {} }: QueueOptions,
): Promise<JobQueue> {
  const boss = new PgBoss({
    db: database.forJobs,
    useListenNotify: true,
    schema: SCHEMA,
  });
  boss.on('error', onError);
  await boss.start();
  await indexWaitingJobs(database.db);
  const known = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const [name, kind] of Object.entries(jobs)) {
    const options = {
      retryLimit: kind.retries,
      retryBackoff: kind.retries > 0,
      expireInSeconds: Math.min(kind.timeoutSeconds, 86_399),
      deleteAfterSeconds: 3_600,
      notify: kind.retries === 0,
    };
    if (known.has(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }

  let running = false;
  const begun = new Map<JobName, { atOnce: number; lastAt: number }>();
  let isPaused = false;
  let stopFollowing = () => {};

  /** One job of a kind after the other, without a pause while there are any. Answers by which id to end it. */
  const startLoop = async (name: JobName, work: (job: Job<unknown>) => Promise<void>): Promise<string> => {
    const state = begun.get(name)!;
    state.lastAt = Date.now();
    const id = await boss.work(
      name,
      // With NOTIFY, pg-boss polls twice a minute otherwise, and what is due later is not notified of.
      {
        pollingIntervalSeconds: pollSeconds,
        notifyPollingIntervalSeconds: pollSeconds,
        batchSize: 1,
        includeMetadata: true,
      },
      async ([job]: JobWithMetadata<unknown>[]) => {
        if (!job) return;
        state.atOnce += 1;
        state.lastAt = Date.now();
        beginWork(name);
        try {
          await work(job);
        } catch (error) {
          const { id: jobId, retryCount, retryLimit } = job;
          if (retryCount >= retryLimit) {
            jobsFailed.inc({ queue: name });
            onFailed({ queue: name, jobId, tries: retryCount + 1, error });
          }
          throw error;
        } finally {
          endWork(name);
          state.atOnce -= 1;
          // Otherwise pg-boss waits for its next poll, although more may be due.
          boss.notifyWorker(id);
        }
      },
    );
    return id;
  };

  /**
   * Answers a function that starts or ends one loop, depending on whether its jobs are to be taken now. A loop ends with
   * the job it works on, and no other starts in its place before that.
   */
  const newLoop = (name: JobName, handlers: JobHandlers): (() => Promise<void>) => {
    const { payload, stores }: Kind = jobs[name];
    const handle = handlers[name] as (payload: unknown, signal: AbortSignal) => Promise<void>;
    let id: string | undefined;
    let last = Promise.resolve();
    const follow = async (): Promise<void> => {
      if (!running) return;
      const isLeft = isPaused && stores === true;
      if (isLeft && id !== undefined) {
        await boss.offWork(name, { id, wait: true });
        id = undefined;
      } else if (!isLeft) id ??= await startLoop(name, (job) => handle(payload.parse(job.data), job.signal));
    };
    return () => {
      last = last.catch(() => {}).then(follow);
      return last;
    };
  };

  return {
    async enqueue(tx, name, payload, { runAt, isReturned = false, isContinued = false } = {}) {
      const { thing, plural }: Kind = jobs[name];
      const fields = payload as Fields;
      const apiKeyId = typeof fields.apiKeyId === 'string' ? fields.apiKeyId : undefined;
      let priority: number | undefined;
      if (apiKeyId !== undefined) {
        if (isReturned) priority = await nextTurn(tx, name);
        else {
          const isBounded = plural !== undefined && !isContinued;
          const turn = await turnOf(tx, name, apiKeyId, isBounded ? mostWaiting : 0);
          if (isBounded && turn.waiting >= mostWaiting) {
            throw await tooManyWaiting(tx, name, apiKeyId, plural, mostWaiting);
          }
          priority = turn.priority;
        }
      }
      await boss.send(name, payload as object, {
        db: database.inTransaction(tx),
        ...(runAt && { startAfter: runAt }),
        ...(priority !== undefined && { priority }),
        ...(apiKeyId !== undefined && { group: { id: apiKeyId } }),
        ...(thing !== undefined && { singletonKey: String(fields[thing]) }),
      });
    },
    async work(handlers) {
      const loops: (() => Promise<void>)[] = [];
      for (const name of Object.keys(jobs) as JobName[]) {
        const { schedule, concurrency }: Kind = jobs[name];
        begun.set(name, { atOnce: 0, lastAt: Date.now() });
        for (let loop = 0; loop < concurrency; loop++) loops.push(newLoop(name, handlers));
        if (schedule) await boss.schedule(name, schedule, {});
      }
      running = true;
      const follow = async (): Promise<void> => {
        isPaused = (storage?.faults().length ?? 0) > 0;
        await Promise.all(loops.map((loop) => loop()));
      };
      stopFollowing = storage?.onChange(() => void follow().catch(onError)) ?? stopFollowing;
      await follow();
    },
    isRunning: () => running,
    isPaused: () => isPaused,
    async health(db) {
      const late = (await listQueues(db)).filter(
        ({ name, oldestSeconds }) => oldestSeconds > beginsWithin(name as JobName),
      );
      const say = (what: string, { name, oldestSeconds }: QueueState) =>
        `The job queue ${name} ${what}: its oldest job has waited for ${Math.round(oldestSeconds)} s.`;
      const isStuck = ({ name }: QueueState): boolean => {
        if (isPaused && (jobs[name as JobName] as Kind).stores) return false;
        const state = begun.get(name as JobName);
        if (!state || state.atOnce >= jobs[name as JobName].concurrency) return false;
        return Date.now() - state.lastAt > beginsWithin(name as JobName) * 1_000;
      };
      const faults: string[] = [];
      const warnings: string[] = [];
      for (const queue of late) {
        if (isStuck(queue)) faults.push(say('stands still', queue));
        else warnings.push(say('is behind', queue));
      }
      return { faults, warnings };
    },
    async stop(graceMs) {
      running = false;
      stopFollowing();
      await boss.stop({ graceful: true, close: false, timeout: graceMs });
    },
  };
}
