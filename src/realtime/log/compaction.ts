import type { Logger } from 'pino';
import { isUnavailable } from '../../db/faults.ts';
import { logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import { noteWork } from '../../lib/threads/watchdog.ts';
import { type DirtyEditor, listDirtyEditors, postpone } from '../../store/live/crdt-compaction.ts';
import { keepUp } from './compact-editor.ts';

interface UpkeepDeps {
  db: Db;
  log: Logger;
}

interface UpkeepOptions {
  /** The clock by which editors are due. */
  now?: () => number;
  pollEveryMs?: number;
}

export interface Upkeep {
  /** When it last got through a look, in epoch milliseconds. */
  health(): { lastLookAt: number };
  /** Ends after the editor that it is at. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const FAULT_MS = 2_000;
/** An editor is told of once nobody has written in it for so long, */
const QUIET_MS = 5_000;
/** or once somebody has been writing in it for so long. */
const LONGEST_MS = 20_000;
/** One that could not be looked after is left alone for so long, so that others need not wait behind it. */
const BROKEN_PAUSE_MS = 60_000;
const AT_ONCE = 100;

/** Tells of editors in which somebody wrote, and folds what they wrote into their content, until stopped. */
export function startUpkeep(
  deps: UpkeepDeps,
  { now = Date.now, pollEveryMs = LOOK_EVERY_MS }: UpkeepOptions = {},
): Upkeep {
  const stopping = new AbortController();
  let lastLookAt = Date.now();

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const kept = await lookAfterEditors(deps, now(), stopping.signal);
        lastLookAt = Date.now();
        if (kept < AT_ONCE) await pause(pollEveryMs, stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        logFault(deps.log, error, 'editors cannot be looked after');
        await pause(FAULT_MS, stopping.signal);
      }
    }
  };
  const running = run();
  return {
    health: () => ({ lastLookAt }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Looks after the editors that are due at a time, up to a number of them; answers how many it was done with. */
export async function lookAfterEditors(
  { db, log }: UpkeepDeps,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const due = await listDirtyEditors(db, {
    now,
    quietSince: now - QUIET_MS,
    dirtySince: now - LONGEST_MS,
    limit: AT_ONCE,
  });
  let kept = 0;
  for (const editor of due) {
    if (signal.aborted) break;
    noteWork('live document: upkeep');
    if (await keepUpOr(editor)) kept += 1;
    // Whoever types on this process waits for its turn, too.
    await nextSlice();
  }
  return kept;

  async function keepUpOr(editor: DirtyEditor): Promise<boolean> {
    try {
      return await keepUp(db, editor, (error) => log.warn({ err: error, ...refOf(editor) }, UNREADABLE));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      logFault(log, error, 'editor cannot be looked after', { ...refOf(editor) });
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

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
