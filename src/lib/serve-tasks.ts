import { parentPort } from 'node:worker_threads';
import { ApiError } from './errors.ts';
import type { Answered } from './worker-pool.ts';

/** The thread's end of a worker pool: does each task that comes. What it answers is handed over, not copied. */
export function serveTasks<Task, Result>(
  work: (task: Task) => Result,
  buffersOf: (result: Result) => ArrayBufferLike[],
): void {
  const port = parentPort!;
  port.on('message', (task: Task) => {
    let answered: Answered;
    let buffers: ArrayBufferLike[] = [];
    try {
      const result = work(task);
      answered = { result };
      buffers = buffersOf(result);
    } catch (error) {
      answered = failureOf(error);
    }
    port.postMessage(answered, buffers as ArrayBuffer[]);
  });
}

function failureOf(error: unknown): Answered {
  if (error instanceof ApiError) {
    const { status, message, details } = error;
    return { refused: { status, message, details } };
  }
  const { name, message, stack } = error as Error;
  return { failed: { name, message, stack } };
}
