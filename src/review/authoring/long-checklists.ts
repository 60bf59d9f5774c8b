import type { Checklist } from '../../lib/checklist/checklist-item.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/threads/worker-pool.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';
import { readChecklist } from './read-checklist.ts';

/** A text of this length takes a few milliseconds, and handing it to a thread no less. */
const SMALL_CHARS = 50_000;
const SMALL_ROWS = 500;
const HEAP_MB = 512;

let shared: WorkerPool<FileContent, Checklist> | undefined;

/** See `readChecklist`; a long file is read in a thread. An owner has one file read at a time. */
export async function checklistOf(owner: string, content: FileContent): Promise<Checklist> {
  const { text, sheets = [] } = content;
  const isSmall =
    text === undefined
      ? sheets.reduce((sum, { rows }) => sum + rows.length, 0) <= SMALL_ROWS
      : text.length <= SMALL_CHARS;
  if (isSmall) return readChecklist(content);
  shared ??= createWorkerPool({
    url: new URL('./checklist-thread.ts', import.meta.url),
    size: 1,
    heapMb: HEAP_MB,
    subject: 'checklists',
  });
  return await shared.run(owner, () => content);
}
