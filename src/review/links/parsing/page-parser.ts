import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../lib/errors.ts';
import { createWorkerPool, type WorkerPool } from '../../../lib/threads/worker-pool.ts';
import type { PageLinks } from '../page-links.ts';
import { type ParsedText, type ParseTask, parsePage } from './parse-page.ts';

export interface ParsedPage {
  page: PageLinks;
  /** The page as `page-store.ts` packs it, if that was asked for. */
  packed?: Uint8Array | undefined;
}

/** Parses pages in a thread; undefined for a page whose parsing takes too much memory or time. */
export type ParsePage = (task: ParseTask) => Promise<ParsedPage | undefined>;

/** Size in bytes below which a page is parsed at once, since a thread would take longer. */
const SMALL_BYTES = 16_384;

let shared: WorkerPool<ParseTask, ParsedText> | undefined;

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
      const { json, packed } = await pool().run(owner, () => ({ ...task, body: new Uint8Array(task.body) }));
      return { page: JSON.parse(new TextDecoder().decode(json)) as PageLinks, packed };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 'RESOURCE_EXHAUSTED') return { page: parsePage(task) };
      return undefined;
    }
  };
}
