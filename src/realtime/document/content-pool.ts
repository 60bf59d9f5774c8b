import { availableParallelism } from 'node:os';
import { createWorkerPool, type WorkerPool } from '../../lib/threads/worker-pool.ts';
import type { ContentTask, Results } from './content-tasks.ts';
import type { Stored } from './stored-content.ts';

type TaskOf<Name extends ContentTask['name']> = Extract<ContentTask, { name: Name }>;

/** Worker threads for the contents of large editors. */
export interface ContentPool {
  /** See `WorkerPool.run`. Stored buffers are transferred, so they are empty afterwards. */
  run<Name extends ContentTask['name']>(
    owner: string,
    prepare: () => Promise<TaskOf<Name>> | TaskOf<Name>,
  ): Promise<Results[Name]>;
  close(): Promise<void>;
}

/** The largest content of a request needs about half of it. */
const HEAP_MB = 768;

/** Opening and reading content up to this size costs less than transferring it to a thread. */
const SMALL_BYTES = 131_072;

export const isSmall = ({ snapshot, updates }: Stored): boolean =>
  (snapshot?.length ?? 0) + (updates?.length ?? 0) <= SMALL_BYTES;

function createContentPool(): ContentPool {
  return createWorkerPool<ContentTask, Results[keyof Results]>({
    url: new URL('./content-thread.ts', import.meta.url),
    // At least two, so that a second API key starts at once.
    size: Math.max(2, Math.min(4, availableParallelism() - 1)),
    heapMb: HEAP_MB,
    transfers: storedBuffers,
    subject: 'the content of large editors',
  }) as WorkerPool<ContentTask, never> as ContentPool;
}

/** The stored buffers of a task that contain nothing else, and so can be transferred. */
function storedBuffers(task: ContentTask): ArrayBufferLike[] {
  // A deletion may go on using the stored buffers in its transaction.
  if (!('stored' in task) || task.name === 'writers') return [];
  return [task.stored.snapshot, task.stored.updates]
    .filter((bytes) => bytes !== null && bytes.length > 0 && bytes.length === bytes.buffer.byteLength)
    .map((bytes) => bytes!.buffer);
}

let shared: ContentPool | undefined;

/** The pool of this process. Threads start on demand and end when idle. */
export const sharedContentPool = (): ContentPool => (shared ??= createContentPool());
