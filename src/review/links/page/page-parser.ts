import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../lib/errors.ts';
import { createWorkerPool, type WorkerPool } from '../../../lib/threads/worker-pool.ts';
import { type ParsedPage, type ParseTask, parsePage } from './parse-page.ts';

/** Parses pages in a thread; undefined for a page whose parsing takes too much memory or time. */
export type ParsePage = (task: ParseTask) => Promise<ParsedPage | undefined>;

/** Size in bytes below which a page is parsed at once, since a thread would take longer. */
const SMALL_BYTES = 16_384;

let shared: WorkerPool<ParseTask, ParsedPage> | undefined;

const pool = () =>
  (shared ??= createWorkerPool({
    url: new URL('./parse-thread.ts', import.meta.url),
    size: 2,
    heapMb: 600,
    cpuMs: 20_000,
    waitMs: 120_000,
    waitingPerOwner: 256,
    waiting: 1_024,
    transfers: ({ body }) => [body.buffer],
    subject: 'the links of pages',
  }));

/** The parser of one run: runs take turns at the threads. */
export function createPageParser(): ParsePage {
  const owner = randomUUID();
  return async (task) => {
    if (task.body.length < SMALL_BYTES) return { page: parsePage(task) };
    try {
      // The buffer of a body may be shared; only a copy can be transferred.
      return await pool().run(owner, () => ({ ...task, body: new Uint8Array(task.body) }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 'RESOURCE_EXHAUSTED') return { page: parsePage(task) };
      return undefined;
    }
  };
}
