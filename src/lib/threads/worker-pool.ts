import { Worker } from 'node:worker_threads';
import { ApiError, type ErrorStatus, invalidArgument, resourceExhausted, unavailable } from '../errors.ts';
import { FairTurns } from './fair-turns.ts';

interface Options<Task> {
  /** Module that a thread runs. It calls `serveTasks`. */
  url: URL;
  /** Maximum number of threads. */
  size: number;
  /** Limit of a thread's heap and buffers, in megabytes. */
  heapMb: number;
  /** Limit of CPU time for one task, in milliseconds. */
  cpuMs?: number;
  /** Maximum time that a task waits for its turn, in milliseconds. */
  waitMs?: number;
  /** Maximum number of waiting tasks of one owner. */
  waitingPerOwner?: number;
  /** Maximum number of waiting tasks of all owners. */
  waiting?: number;
  /** Time without a task after which a thread ends. */
  idleMs?: number;
  /** Buffers of a task that are transferred to the thread instead of copied. */
  transfers?: (task: Task) => ArrayBufferLike[];
  /** Subject of the tasks, for messages. */
  subject: string;
}

export interface WorkerPool<Task, Result> {
  /**
   * Runs a task in a thread. `prepare` is called when the owner has its turn, so that waiting tasks use no memory.
   * Throws the error of the task; RESOURCE_EXHAUSTED if too many tasks wait; INVALID_ARGUMENT if the task runs out of
   * memory; UNAVAILABLE if it takes too long or its thread dies.
   */
  run(owner: string, prepare: () => Promise<Task> | Task): Promise<Result>;
  /** Ends all threads. Running tasks are rejected with UNAVAILABLE; a later task starts a thread again. */
  close(): Promise<void>;
}

/** Result of a task, with the size of the thread's heap in bytes. */
export type Answered = { heapBytes: number } & Outcome;
export type Outcome =
  | { result: unknown }
  | { refused: { status: ErrorStatus; message: string; details: unknown } }
  | { failed: { name: string; message: string; stack: string | undefined } };

interface Thread {
  worker: Worker;
  task: PromiseWithResolvers<unknown> | undefined;
  timer: NodeJS.Timeout | undefined;
  isSpent: boolean;
}

const MIB = 1_048_576;
/** Interval between checks of a working thread. */
const LOOK_MS = 50;
/**
 * Heap limit of a thread above `heapMb`, in megabytes. V8 aborts the whole process if a thread reaches its limit within
 * a large allocation (https://github.com/nodejs/node/issues/47224), so threads are ended long before.
 */
const HEADROOM_MB = 1_024;
/** Share of the memory limit. A thread that still uses more after a task is replaced. */
const MAX_KEPT_SHARE = 0.25;

/**
 * A pool of threads for work that would block the main thread. Owners take turns; each thread runs one task at a time.
 */
export function createWorkerPool<Task, Result>({
  url,
  size,
  heapMb,
  cpuMs = 60_000,
  waitMs = 30_000,
  waitingPerOwner = 64,
  waiting: maxWaiting = 256,
  idleMs = 60_000,
  transfers = () => [],
  subject,
}: Options<Task>): WorkerPool<Task, Result> {
  const turns = new FairTurns({ capacity: size, perOwner: Math.max(1, size - 1) });
  const waiting = new Map<string, number>();
  const threads = new Set<Thread>();

  const lose = (thread: Thread, error: Error) => {
    threads.delete(thread);
    failTask(thread, error);
  };
  const start = (): Thread => {
    const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: heapMb + HEADROOM_MB } });
    const thread: Thread = { worker, task: undefined, timer: undefined, isSpent: false };
    worker.on('message', (answered: Answered) => {
      thread.isSpent = answered.heapBytes > MAX_KEPT_SHARE * heapMb * MIB;
      if ('result' in answered) thread.task?.resolve(answered.result);
      else thread.task?.reject(errorFrom(answered));
    });
    worker.on('error', (error) => lose(thread, errorOfDeath(error, subject)));
    worker.on('exit', () => lose(thread, unavailable(`The thread that works on ${subject} ended.`)));
    threads.add(thread);
    return thread;
  };
  const end = (thread: Thread, error: Error) => {
    lose(thread, error);
    return thread.worker.terminate();
  };
  /** Ends a thread whose task exceeds its memory or its CPU time. */
  const limit = (thread: Thread, cpuBefore: number, begun = performance.now()) => {
    const { task, worker } = thread;
    thread.timer = setTimeout(async () => {
      const bytes = await heapBytesOf(worker);
      // Processor time is at most wall-clock time, which is cheaper to read.
      const used = performance.now() - begun < cpuMs ? 0 : (await cpuMsOf(worker)) - cpuBefore;
      if (thread.task !== task) return;
      if (bytes > heapMb * MIB) void end(thread, tooMuchMemory(subject));
      else if (used >= cpuMs) void end(thread, tooLong(subject, cpuMs));
      else limit(thread, cpuBefore, begun);
    }, LOOK_MS);
  };

  const takeTurn = async (owner: string) => {
    const turn = turns.tryTake(owner);
    if (turn) return turn;
    const before = waiting.get(owner) ?? 0;
    if (before >= waitingPerOwner || turns.waiting >= maxWaiting) throw busy(subject);
    waiting.set(owner, before + 1);
    const place = turns.take(owner, 1);
    const late = setTimeout(() => place.leave(busy(subject)), waitMs);
    try {
      return await place.turn;
    } finally {
      clearTimeout(late);
      const left = waiting.get(owner)! - 1;
      if (left > 0) waiting.set(owner, left);
      else waiting.delete(owner);
    }
  };

  const runOn = async (thread: Thread, task: Task): Promise<unknown> => {
    clearTimeout(thread.timer);
    const asked = Promise.withResolvers<unknown>();
    // The thread may die before its answer is awaited.
    asked.promise.catch(() => {});
    thread.task = asked;
    // Keeps the process alive until the answer.
    thread.worker.ref();
    try {
      // If the thread dies meanwhile, the first promise may never settle.
      const before = await Promise.race([cpuMsOf(thread.worker), asked.promise as Promise<never>]);
      limit(thread, before);
      thread.worker.postMessage(task, transfers(task) as ArrayBuffer[]);
      return await asked.promise;
    } finally {
      clearTimeout(thread.timer);
      thread.task = undefined;
      if (thread.isSpent) void end(thread, new Error('Spent.'));
      else if (threads.has(thread)) {
        thread.worker.unref();
        thread.timer = setTimeout(() => void end(thread, new Error('Idle.')), idleMs).unref();
      }
    }
  };

  return {
    async run(owner, prepare) {
      const turn = await takeTurn(owner);
      try {
        const task = await prepare();
        const idle = [...threads].find((thread) => thread.task === undefined);
        return (await runOn(idle ?? start(), task)) as Result;
      } finally {
        turn.release();
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => end(thread, unavailable('The service is stopping.'))));
    },
  };
}

/** Rejects the task of a thread that has ended. */
function failTask(thread: Thread, error: Error): void {
  clearTimeout(thread.timer);
  thread.task?.reject(error);
  thread.task = undefined;
}

/** Processor time that a thread has used, in milliseconds; 0 before it has started. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}

/** Bytes of a thread's heap and buffers; 0 before it has started. */
async function heapBytesOf(worker: Worker): Promise<number> {
  try {
    const { used_heap_size: used, external_memory: buffers } = await worker.getHeapStatistics();
    return used + buffers;
  } catch {
    return 0;
  }
}

const busy = (subject: string) =>
  resourceExhausted(`The service is busy with earlier work on ${subject}.`, 5);

const tooMuchMemory = (subject: string) =>
  invalidArgument(`Work on ${subject} takes more memory than it may.`);

const tooLong = (subject: string, ms: number) =>
  new ApiError('UNAVAILABLE', `Work on ${subject} took more than ${Math.ceil(ms / 1_000)} s of CPU time.`, {
    retryAfterSeconds: 30,
  });

function errorOfDeath(error: unknown, subject: string): Error {
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return tooMuchMemory(subject);
  }
  return unavailable(`The thread that works on ${subject} ended.`, error);
}

function errorFrom(answered: Exclude<Outcome, { result: unknown }>): Error {
  if ('refused' in answered) {
    const { status, message, details } = answered.refused;
    return new ApiError(status, message, { details });
  }
  return Object.assign(new Error(answered.failed.message), answered.failed);
}
