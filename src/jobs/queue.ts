import { type Job, PgBoss, type Db as QueueDatabase } from 'pg-boss';
import type { Database } from '../db/connect.ts';
import type { Tx } from '../db/tables.ts';
import { type JobName, type JobPayload, jobs } from './catalog.ts';

const SCHEMA = 'jobs';

export type JobHandler<Name extends JobName> = (
  payload: JobPayload<Name>,
  signal: AbortSignal,
) => Promise<void>;
export type JobHandlers = { [Name in JobName]: JobHandler<Name> };

/** Background work that is enqueued in the transaction that calls for it. */
export interface Jobs {
  enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayload<Name>,
    options?: { runAt?: Date },
  ): Promise<void>;
}

export interface JobQueue extends Jobs {
  /** Begins to take jobs. */
  work(handlers: JobHandlers): Promise<void>;
  isRunning(): boolean;
  /** Takes no more jobs and waits up to `graceMs` for those at work. */
  stop(graceMs: number): Promise<void>;
}

/** Makes the tables of the queue, or brings those of an earlier version up to date, and runs nothing. */
export async function prepareJobTables(db: QueueDatabase, onError: (error: Error) => void): Promise<void> {
  const boss = new PgBoss({ db, schema: SCHEMA, supervise: false, schedule: false });
  boss.on('error', onError);
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}

/** Starts pg-boss on the same database and makes its queues. */
export async function startJobQueue(database: Database, onError: (error: Error) => void): Promise<JobQueue> {
  const boss = new PgBoss({
    db: database.forJobs,
    useListenNotify: true,
    schema: SCHEMA,
  });
  boss.on('error', onError);
  await boss.start();
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
  return {
    async enqueue(tx, name, payload, options = {}) {
      await boss.send(name, payload as object, {
        db: database.inTransaction(tx),
        ...(options.runAt && { startAfter: options.runAt }),
      });
    },
    async work(handlers) {
      for (const name of Object.keys(jobs) as JobName[]) {
        const kind: { payload: { parse(value: unknown): unknown }; concurrency: number; schedule?: string } =
          jobs[name];
        const handle = handlers[name] as (payload: unknown, signal: AbortSignal) => Promise<void>;
        const one = async ([job]: Job<unknown>[]) => {
          if (job) await handle(kind.payload.parse(job.data), job.signal);
        };
        await boss.work(
          name,
          { localConcurrency: kind.concurrency, pollingIntervalSeconds: 2, batchSize: 1 },
          one,
        );
        if (kind.schedule) await boss.schedule(name, kind.schedule, {});
      }
      running = true;
    },
    isRunning: () => running,
    async stop(graceMs) {
      running = false;
      await boss.stop({ graceful: true, close: false, timeout: graceMs });
    },
  };
}
