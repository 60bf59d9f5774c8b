import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { ApiError } from '../errors.ts';
import { lowerPriorityOfThread } from './low-priority.ts';
import type { Outcome } from './worker-pool.ts';

/**
 * The worker side of a pool: runs each task it receives. Buffers of results are transferred, not copied. The thread has
 * a low priority unless its work is what a run waits for beside a browser, which takes all the time that is left.
 */
export function serveTasks<Task, Result>(
  work: (task: Task) => Result,
  buffersOf: (result: Result) => ArrayBufferLike[] = () => [],
  priority: 'low' | 'normal' = 'low',
): void {
  if (priority === 'low') lowerPriorityOfThread();
  const port = parentPort!;
  port.on('message', (task: Task) => {
    let answered: Outcome;
    let buffers: ArrayBufferLike[] = [];
    try {
      const result = work(task);
      answered = { result };
      buffers = buffersOf(result);
    } catch (error) {
      answered = failureOf(error);
    }
    const { used_heap_size: heapBytes } = getHeapStatistics();
    port.postMessage({ heapBytes, ...answered }, buffers as ArrayBuffer[]);
  });
}

function failureOf(error: unknown): Outcome {
  if (error instanceof ApiError) {
    const { status, message, details } = error;
    return { refused: { status, message, details } };
  }
  const { name, message, stack } = error as Error;
  return { failed: { name, message, stack } };
}
