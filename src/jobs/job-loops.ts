import type { Job as BossJob, JobWithMetadata, PgBoss } from 'pg-boss';
import { beginWork, endWork } from '../lib/threads/watchdog.ts';
import { detached, inOperation } from '../lib/tracing/tracing.ts';
import type { AnyJobKind, JobName, JobPayload } from './job.ts';
import { jobSeconds, jobsFailed } from './job-metrics.ts';

export type JobHandlers = {
  [Name in JobName]: (payload: JobPayload<Name>, signal: AbortSignal) => Promise<void>;
};

/** A job that failed on its last attempt. */
export interface FailedJob {
  queue: JobName;
  jobId: string;
  tries: number;
  error: unknown;
}

export interface LoopOptions {
  onFailed(failure: FailedJob): void;
  /** Called after each job, which may have written something that other parts act on. */
  onEnded(): void;
  /** Names the queues that have due jobs. */
  listDue(): Promise<JobName[]>;
  /** Interval at which queues without due jobs are polled. */
  pollSeconds: number;
  /** While it reports faults, jobs that store something are left waiting. */
  storage:
    | {
        faults(): string[];
        onChange(listener: (isRefusing: boolean) => void): () => void;
      }
    | undefined;
}

export interface JobLoops {
  start(handlers: JobHandlers): Promise<void>;
  isRunning(): boolean;
  /** True while jobs that store something are left waiting, once all loops that take them have ended. */
  isPaused(): boolean;
  /** True if this process could begin a job of the kind and has not done so for longer than `withinSeconds`. */
  isStuck(name: JobName, withinSeconds: number): boolean;
  stop(): void;
}

/** Interval at which pg-boss polls for each loop by itself, in case this process does not notice a due job. */
const BACKSTOP_SECONDS = 60;
/** Each loop's interval is longer by this, because loops that poll at the same moment need a connection each. */
const APART_SECONDS = 0.5;

type Work = (job: BossJob<unknown>) => Promise<void>;

/** Takes jobs in as many loops per kind as its concurrency. Each loop works on one job at a time. */
export function createJobLoops(
  boss: PgBoss,
  kinds: ReadonlyMap<JobName, AnyJobKind>,
  onError: (error: Error) => void,
  { onFailed, onEnded, listDue, pollSeconds, storage }: LoopOptions,
): JobLoops {
  /** State of each kind, with the ids of its pg-boss workers. */
  const begun = new Map<JobName, { atOnce: number; lastAt: number; workers: Set<string> }>();
  let running = false;
  let isPaused = false;
  /** Changes of the pause whose loops have not all started or ended. */
  let changing = 0;
  let stopFollowing = () => {};

  /** Starts a pg-boss worker, which takes one job after the other without a pause. Returns the worker's id. */
  const startLoop = async (name: JobName, place: number, work: Work): Promise<string> => {
    const state = begun.get(name)!;
    state.lastAt = Date.now();
    const options = pollsRarely(pollSeconds, place);
    const id = await boss.work(name, options, async ([job]: JobWithMetadata<unknown>[]) => {
      if (!job) return;
      state.atOnce += 1;
      state.lastAt = Date.now();
      beginWork(name);
      try {
        await attempt(name, job, work);
      } catch (error) {
        noteFailure(name, job, error, onFailed);
        throw error;
      } finally {
        endWork(name);
        state.atOnce -= 1;
        // Otherwise pg-boss waits for its next poll, although more jobs may be due.
        boss.notifyWorker(id);
        onEnded();
      }
    });
    state.workers.add(id);
    return id;
  };

  /**
   * Returns a function that starts or ends one loop, depending on whether jobs of the kind may be taken now. A loop
   * ends after its current job, and its replacement starts only after that.
   */
  const newLoop = ({ name, payload, stores }: AnyJobKind, place: number, handlers: JobHandlers) => {
    const handle = handlers[name] as (payload: unknown, signal: AbortSignal) => Promise<void>;
    let id: string | undefined;
    let last = Promise.resolve();
    const follow = async (): Promise<void> => {
      if (!running) return;
      const mustWait = isPaused && stores === true;
      if (mustWait && id !== undefined) {
        begun.get(name)!.workers.delete(id);
        await boss.offWork(name, { id, wait: true });
        id = undefined;
      } else if (!mustWait)
        id ??= await startLoop(name, place, (job) => handle(payload.parse(job.data), job.signal));
    };
    return (): Promise<void> => {
      last = last.catch(() => {}).then(follow);
      return last;
    };
  };

  const wakeDue = async (): Promise<void> => {
    for (const name of await listDue())
      for (const id of begun.get(name)?.workers ?? []) boss.notifyWorker(id);
  };
  const poll = repeatPoll(wakeDue, pollSeconds * 1_000, onError);

  return {
    async start(handlers) {
      const loops: (() => Promise<void>)[] = [];
      for (const kind of kinds.values()) {
        begun.set(kind.name, { atOnce: 0, lastAt: Date.now(), workers: new Set() });
        for (let loop = 0; loop < kind.concurrency; loop++) loops.push(newLoop(kind, loops.length, handlers));
        if (kind.schedule) await boss.schedule(kind.name, kind.schedule, {});
      }
      running = true;
      const follow = async (): Promise<void> => {
        isPaused = (storage?.faults().length ?? 0) > 0;
        changing += 1;
        await Promise.all(loops.map((loop) => loop())).finally(() => void changing--);
      };
      stopFollowing = storage?.onChange(() => void follow().catch(onError)) ?? stopFollowing;
      await follow();
      poll.start();
    },
    isRunning: () => running,
    isPaused: () => isPaused && changing === 0,
    isStuck(name, withinSeconds) {
      const kind = kinds.get(name);
      const state = begun.get(name);
      if (!kind || !state || state.atOnce >= kind.concurrency || (isPaused && kind.stores)) return false;
      return Date.now() - state.lastAt > withinSeconds * 1_000;
    },
    stop() {
      running = false;
      poll.stop();
      stopFollowing();
    },
  };
}

/** The options of a pg-boss worker that others wake. `place` counts the loops of the process. */
const pollsRarely = (pollSeconds: number, place: number) => {
  const seconds = Math.max(pollSeconds, BACKSTOP_SECONDS) + place * APART_SECONDS;
  return {
    pollingIntervalSeconds: seconds,
    notifyPollingIntervalSeconds: seconds,
    batchSize: 1,
    includeMetadata: true as const,
  };
};

/** Times an attempt, and records its span. A loop may have been started by a request, of which its jobs are no part. */
async function attempt(queue: JobName, job: JobWithMetadata<unknown>, work: Work): Promise<void> {
  const endTimer = jobSeconds.startTimer({ queue });
  await detached(() => inOperation(queue, spanOf(queue, job), () => work(job))).finally(endTimer);
}

/** The span of an attempt continues the trace of the request or job that enqueued it. */
const spanOf = (queue: JobName, { id, data, retryCount }: JobWithMetadata<unknown>) => {
  const { traceparent } = (data ?? {}) as { traceparent?: unknown };
  return {
    name: `process ${queue}`,
    kind: 'consumer' as const,
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': id,
      'redpen.job.attempt': retryCount + 1,
    },
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
};

/** Counts and reports the failure of a job's last attempt. */
function noteFailure(
  queue: JobName,
  { id: jobId, retryCount, retryLimit }: JobWithMetadata<unknown>,
  error: unknown,
  onFailed: LoopOptions['onFailed'],
): void {
  if (retryCount < retryLimit) return;
  jobsFailed.inc({ queue });
  onFailed({ queue, jobId, tries: retryCount + 1, error });
}

/**
 * Polls for all queues in one statement, which notices jobs that become due later and jobs that send no notification.
 * Otherwise every loop of every queue would poll, even in an idle process.
 */
function repeatPoll(poll: () => Promise<void>, everyMs: number, onError: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const schedule = () => {
    if (isStopped) return;
    timer = setTimeout(() => void poll().catch(onError).then(schedule), everyMs);
  };
  return {
    start: schedule,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
