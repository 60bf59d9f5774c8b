import { setTimeout as pause } from 'node:timers/promises';
import { isTransient, isUnavailable } from '../../db/faults.ts';
import type { Db } from '../../db/tables.ts';
import { packUpdates } from '../../lib/update-list.ts';
import { type Append, appendUpdates } from '../../store/live/crdt-log.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import { storeSeconds, updatesStored } from '../protocol/editing-meters.ts';

/** Who made a change: a user over a connection, or a backend. */
export interface Author {
  userId: string | null;
  sessionId: string | null;
  /** A request waits for the answer, so that it is not for others to come along. */
  isWaiting?: true;
}

export interface AppendLog {
  /** Has an update stored with the next group. */
  add(editor: OpenEditor, update: Uint8Array, author: Author): void;
  /**
   * Resolves once all that was added for the editor so far is stored, and rejects where it cannot be; undefined
   * where nothing waits.
   */
  settled(editor: OpenEditor): Promise<void> | undefined;
  /** Whether so much waits that no more may be taken in. */
  isFull(): boolean;
  /** Age in milliseconds of the oldest update that waits. */
  oldestMs(): number;
  /** Stores what waits, for at most as long as given. */
  stop(withinMs: number): Promise<void>;
}

interface Batch {
  updates: Uint8Array[];
  bytes: number;
  author: Author;
  since: number;
  done: PromiseWithResolvers<void>;
}

interface LogOptions {
  db: Db;
  /**
   * Called as soon as updates of an editor are stored. Nobody is told so before what it answers has come: another
   * process must know of what is acknowledged here, or it would be behind if this one died.
   */
  onStored(editor: OpenEditor, updates: Uint8Array[]): Promise<void>;
  /** The editor or its document is not there any more. */
  onGone(editor: OpenEditor): void;
  /**
   * Updates that the open document holds were not stored, and will not be: whoever compares with it would be told
   * that they are.
   */
  onLost(editor: OpenEditor): void;
  onError(error: unknown): void;
  /** How long updates are collected before they are stored together. */
  collectMs: number;
}

/** Above this, what waits would endanger the process. */
const FULL_BYTES = 67_108_864;
const GROUP_BYTES = 8_388_608;
const LONGEST_WAIT_MS = 2_000;
/** Groups that are being stored; two keep the database at work while one of them waits for its disk. */
const AT_ONCE = 2;

/**
 * Stores updates in groups: all that come while groups are being stored make the next, so that the cost of a commit
 * is shared by more the busier it gets. Of one editor, none overtakes another.
 */
export function createAppendLog({ db, onStored, onGone, onLost, onError, collectMs }: LogOptions): AppendLog {
  const waiting = new Map<OpenEditor, Batch>();
  const inFlight = new Map<OpenEditor, Batch>();
  let groups = 0;
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let lastBegun = 0;
  let stopped = false;
  let isAwaited = false;

  const schedule = () => {
    if (groups >= AT_ONCE || timer || ![...waiting.keys()].some((editor) => !inFlight.has(editor))) return;
    // Whoever types alone should not wait for others.
    const wait = isAwaited ? 0 : Math.max(0, lastBegun + collectMs - performance.now());
    timer = setTimeout(() => {
      timer = undefined;
      groups += 1;
      void storeGroup().finally(() => {
        groups -= 1;
        schedule();
      });
      schedule();
    }, wait);
  };

  const storeGroup = async () => {
    const begun = performance.now();
    lastBegun = begun;
    isAwaited = false;
    let bytes = 0;
    const taken: [OpenEditor, Batch][] = [];
    for (const [editor, batch] of waiting) {
      // What is acknowledged must not build upon what may yet be lost.
      if (inFlight.has(editor)) continue;
      if (bytes > 0 && bytes + batch.bytes > GROUP_BYTES) break;
      bytes += batch.bytes;
      waiting.delete(editor);
      inFlight.set(editor, batch);
      taken.push([editor, batch]);
    }
    // In one order everywhere, so that two processes cannot wait for each other's locks.
    await storeOrSplit(taken.sort(([a], [b]) => (a.id < b.id ? -1 : 1)));
    storeSeconds.observe((performance.now() - begun) / 1_000);
    waitingBytes -= bytes;
    for (const [editor] of taken) inFlight.delete(editor);
  };

  /** Where a group cannot be stored for what is in it, each of it is tried by itself. */
  const storeOrSplit = async (group: [OpenEditor, Batch][]): Promise<void> => {
    try {
      await storeInTime(group);
    } catch (error) {
      if (group.length > 1) {
        for (const one of group) await storeOrSplit([one]);
        return;
      }
      onError(error);
      for (const [editor, { done }] of group) {
        onLost(editor);
        done.reject(error);
      }
    }
  };

  const storeInTime = async (group: [OpenEditor, Batch][]): Promise<void> => {
    let left = group;
    for (let attempt = 0; left.length > 0; attempt++) {
      try {
        left = await storeOnce(left, attempt);
      } catch (error) {
        if (stopped || !(isUnavailable(error) || isTransient(error))) throw error;
        if (attempt === 0) onError(error);
        await pause(Math.min(LONGEST_WAIT_MS, 50 * 2 ** attempt));
      }
    }
  };

  /** Answers those that must be tried again. */
  const storeOnce = async (group: [OpenEditor, Batch][], attempt: number) => {
    const stored = await appendUpdates(
      db,
      group.map(([editor, batch]) => appendOf(editor, batch)),
    );
    return group.filter(([editor, batch], position) => {
      const incarnation = stored[position];
      if (incarnation !== undefined) {
        editor.incarnation = incarnation;
        updatesStored.inc(batch.updates.length);
        void onStored(editor, batch.updates).then(batch.done.resolve);
        return false;
      }
      // Another process may have made it in the same moment, which is seen only at a second look.
      if (editor.incarnation === null && attempt === 0) return true;
      onGone(editor);
      batch.done.reject(new EditorGone());
      return false;
    });
  };

  return {
    add(editor, update, author) {
      let batch = waiting.get(editor);
      if (!batch) {
        const done = Promise.withResolvers<void>();
        // Whoever waits for it sees the failure; nobody may be waiting.
        done.promise.catch(() => {});
        batch = { updates: [], bytes: 0, author, since: Date.now(), done };
        waiting.set(editor, batch);
      }
      batch.updates.push(update);
      batch.author = author;
      batch.bytes += update.length;
      waitingBytes += update.length;
      if (author.isWaiting && !isAwaited) {
        isAwaited = true;
        clearTimeout(timer);
        timer = undefined;
      }
      schedule();
    },
    settled: (editor) => (waiting.get(editor) ?? inFlight.get(editor))?.done.promise,
    isFull: () => waitingBytes > FULL_BYTES,
    oldestMs() {
      const oldest = [...inFlight.values(), ...waiting.values()][0]?.since;
      return oldest === undefined ? 0 : Date.now() - oldest;
    },
    async stop(withinMs) {
      const deadline = Date.now() + withinMs;
      while ((waiting.size > 0 || groups > 0) && Date.now() < deadline) {
        // Whatever is awaited here must take a turn of the event loop, or the timer of the next group never runs.
        await pause(5);
      }
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** What was to be stored belongs to an editor that is not there any more. */
export class EditorGone extends Error {
  override name = 'EditorGone';
}

const appendOf = ({ key, incarnation, newIncarnation }: OpenEditor, { updates, author }: Batch): Append => ({
  ...key,
  incarnation,
  newIncarnation,
  payload: packUpdates(updates),
  userId: author.userId,
  sessionId: author.sessionId,
});
