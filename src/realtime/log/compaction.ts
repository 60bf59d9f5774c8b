import type { Logger } from 'pino';
import { isUnavailable } from '../../db/database-errors.ts';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { createPace } from '../../lib/threads/pace.ts';
import { noteWork } from '../../lib/threads/watchdog.ts';
import { pause } from '../../lib/time.ts';
import { type DirtyEditor, listDirtyEditors, postpone } from '../../store/live/crdt-compaction.ts';
import { compactEditor } from './compact-editor.ts';

interface CompactionDeps {
  db: Db;
  log: Logger;
}

interface CompactionOptions {
  /** The clock by which editors are due. */
  now?: () => number;
  pollEveryMs?: number;
}

export interface Compaction {
  /** When it last completed a batch, in epoch milliseconds. */
  health(): { lastPollAt: number };
  /** Polls as often as a busy process, because an editor may become due soon. */
  quicken(): void;
  /** Ends after the present editor. */
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 1_000;
/** Pause of an idle process between two polls. */
const IDLE_POLL_EVERY_MS = 3_100;
const FAULT_MS = 2_000;
/** An editor is compacted, and its event emitted, once it has not changed for this long. */
const QUIET_MS = 5_000;
/** An editor that keeps changing is compacted after this long. */
const MAX_DELAY_MS = 20_000;
/** An editor whose compaction failed is postponed, so that it does not delay others. */
const BROKEN_PAUSE_MS = 60_000;
const BATCH = 100;

/**
 * Compaction of live documents, until stopped: merges the log of changed editors into snapshots, and emits one event for
 * the changes of each.
 */
export function startCompaction(
  deps: CompactionDeps,
  { now = Date.now, pollEveryMs = POLL_EVERY_MS }: CompactionOptions = {},
): Compaction {
  const stopping = new AbortController();
  let lastPollAt = Date.now();
  const pace = createPace({ minMs: pollEveryMs, maxMs: Math.max(pollEveryMs, IDLE_POLL_EVERY_MS) });

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const done = await compactDueEditors(deps, now(), stopping.signal);
        lastPollAt = Date.now();
        if (done > 0) pace.found();
        if (done < BATCH) await pace.pause(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        logFault(deps.log, error, 'live documents cannot be compacted');
        await pause(FAULT_MS, stopping.signal);
      }
    }
  };
  const running = run();
  return {
    health: () => ({ lastPollAt }),
    quicken: () => pace.wake(pollEveryMs),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Compacts a batch of due editors, and returns how many of them are done. */
export async function compactDueEditors(
  { db, log }: CompactionDeps,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const due = await listDirtyEditors(db, {
    now,
    quietSince: now - QUIET_MS,
    dirtySince: now - MAX_DELAY_MS,
    limit: BATCH,
  });
  let done = 0;
  for (const editor of due) {
    if (signal.aborted) break;
    noteWork('live document: compaction');
    if (await compact(editor)) done += 1;
    // Other work of this thread gets its turn, too.
    await nextSlice();
  }
  return done;

  async function compact(editor: DirtyEditor): Promise<boolean> {
    try {
      return await compactEditor(db, editor, (error) =>
        log.warn({ err: error, ...refOf(editor) }, UNREADABLE),
      );
    } catch (error) {
      if (isUnavailable(error)) throw error;
      logFault(log, error, 'live document cannot be compacted', { ...refOf(editor) });
      await postpone(db, editor, now + BROKEN_PAUSE_MS);
      return true;
    }
  }
}

const UNREADABLE = 'the content of an editor cannot be read';

const refOf = ({ apiKeyId, organizationId, documentId, editorId }: DirtyEditor) => ({
  apiKeyId,
  organizationId,
  documentId,
  editorId,
});
