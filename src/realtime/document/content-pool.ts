import { availableParallelism } from 'node:os';
import { createWorkerPool, type WorkerPool } from '../../lib/threads/worker-pool.ts';
import type { ContentTask, Results } from './content-tasks.ts';
import type { Stored } from './stored-content.ts';

type TaskOf<Name extends ContentTask['name']> = Extract<ContentTask, { name: Name }>;

/** Threads that work on the contents of large editors. */
export interface ContentPool {
  /** See `WorkerPool.run`. What is stored is handed over: it is empty afterwards for who prepared the task. */
  run<Name extends ContentTask['name']>(
    owner: string,
    prepare: () => Promise<TaskOf<Name>> | TaskOf<Name>,
  ): Promise<Results[Name]>;
  close(): Promise<void>;
}

/** The largest content that a request may hold takes about half of it. */
const HEAP_MB = 768;

/** Opening and reading that takes a few milliseconds, and less than handing it to a thread costs everybody else. */
const SMALL_BYTES = 131_072;

export const isSmall = ({ snapshot, updates }: Stored): boolean =>
  (snapshot?.length ?? 0) + (updates?.length ?? 0) <= SMALL_BYTES;

export function createContentPool(): ContentPool {
  return createWorkerPool<ContentTask, Results[keyof Results]>({
    url: new URL('./content-thread.ts', import.meta.url),
    // With two, a second API key begins at once.
    size: Math.max(2, Math.min(4, availableParallelism() - 1)),
    heapMb: HEAP_MB,
    transfers: storedBuffers,
    subject: 'the content of large editors',
  }) as WorkerPool<ContentTask, never> as ContentPool;
}

/** What was read for the task, as far as nothing else lies in the same buffers. */
function storedBuffers(task: ContentTask): ArrayBufferLike[] {
  // Of an editor that is to be deleted, what is stored is asked for in a transaction that may go on with it.
  if (!('stored' in task) || task.name === 'writers') return [];
  return [task.stored.snapshot, task.stored.updates]
    .filter((bytes) => bytes !== null && bytes.length > 0 && bytes.length === bytes.buffer.byteLength)
    .map((bytes) => bytes!.buffer);
}

let shared: ContentPool | undefined;

/** The threads of this process. They start with the first task and end by themselves. */
export const sharedContentPool = (): ContentPool => (shared ??= createContentPool());
