import { setTimeout as pause } from 'node:timers/promises';
import { isTransient, isUnavailable } from '../../db/database-errors.ts';
import type { Db } from '../../db/tables.ts';
import { packUpdates } from '../../lib/update-list.ts';
import { type Append, appendUpdates } from '../../store/live/crdt-log.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import { storeSeconds, updatesStored } from '../protocol/editing-metrics.ts';

/** The source of a change: a user over a connection, or a backend. */
export interface Author {
  userId: string | null;
  sessionId: string | null;
  /** A request waits for the result, so the update is stored without waiting for others to join its group. */
  isWaiting?: true;
}

/** Updates of one editor that are stored together. */
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
   * Called as soon as updates of an editor are stored, and awaited before they are acknowledged: other processes must
   * receive acknowledged updates, or they would lag behind if this process died.
   */
  onStored(editor: OpenEditor, updates: Uint8Array[]): Promise<void>;
  /** The editor or its document was deleted. */
  onGone(editor: OpenEditor): void;
  /**
   * The open document contains updates that were never stored; it must be dropped, or clients that sync with it would
   * treat them as saved.
   */
  onLost(editor: OpenEditor): void;
  onError(error: unknown): void;
  /** Milliseconds for which updates are collected before they are stored together. */
  collectMs: number;
}

/** Backpressure: above this, waiting updates would endanger the process. */
const FULL_BYTES = 67_108_864;
const GROUP_BYTES = 8_388_608;
const MAX_BACKOFF_MS = 2_000;
/** Groups stored at the same time; two keep the database busy while one waits for its disk. */
const CONCURRENT_GROUPS = 2;

/**
 * Stores updates in groups (group commit): updates that arrive while groups are being stored form the next one, so
 * that under load more updates share a commit. Updates of one editor are stored in order.
 */
export class AppendLog {
  readonly #options: LogOptions;
  readonly #waiting = new Map<OpenEditor, Batch>();
  readonly #inFlight = new Map<OpenEditor, Batch>();
  #groups = 0;
  #waitingBytes = 0;
  /** Cancels the start of the next group. */
  #cancelNext: (() => void) | undefined;
  #lastBegun = 0;
  #isStopped = false;
  /** A request waits for an update that no group has taken yet. */
  #isAwaited = false;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  /** Queues an update for the next group. */
  add(editor: OpenEditor, update: Uint8Array, author: Author): void {
    let batch = this.#waiting.get(editor);
    if (!batch) {
      const done = Promise.withResolvers<void>();
      // Callers of `settled` see the failure; without one it must not become an unhandled rejection.
      done.promise.catch(() => {});
      batch = { updates: [], bytes: 0, author, since: Date.now(), done };
      this.#waiting.set(editor, batch);
    }
    batch.updates.push(update);
    batch.author = author;
    batch.bytes += update.length;
    this.#waitingBytes += update.length;
    if (author.isWaiting && !this.#isAwaited) {
      this.#isAwaited = true;
      this.#cancelNext?.();
      this.#cancelNext = undefined;
    }
    this.#schedule();
  }

  /**
   * Resolves once all updates that were added for the editor so far are stored, and rejects if they cannot be;
   * undefined if none waits.
   */
  settled(editor: OpenEditor): Promise<void> | undefined {
    return (this.#waiting.get(editor) ?? this.#inFlight.get(editor))?.done.promise;
  }

  /** True while so much waits that no more may be accepted. */
  isFull(): boolean {
    return this.#waitingBytes > FULL_BYTES;
  }

  /** Age in milliseconds of the oldest update that is not stored yet. */
  oldestMs(): number {
    const oldest = [...this.#inFlight.values(), ...this.#waiting.values()][0]?.since;
    return oldest === undefined ? 0 : Date.now() - oldest;
  }

  /** Stores what waits, for at most this long. */
  async stop(withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs;
    while ((this.#waiting.size > 0 || this.#groups > 0) && Date.now() < deadline) {
      // The pause must let the event loop turn, or the timer of the next group never runs.
      await pause(5);
    }
    this.#isStopped = true;
    this.#cancelNext?.();
  }

  #schedule(): void {
    if (this.#groups >= CONCURRENT_GROUPS || this.#cancelNext || !this.#hasNext()) return;
    const begin = () => {
      this.#cancelNext = undefined;
      this.#groups += 1;
      void this.#storeGroup().finally(() => {
        this.#groups -= 1;
        this.#schedule();
      });
      this.#schedule();
    };
    if (this.#isAwaited) {
      // Requests that are read in the same turn of the event loop join the group.
      const next = setImmediate(begin);
      this.#cancelNext = () => clearImmediate(next);
      return;
    }
    // A lone typist does not wait, because the last group began long ago.
    const wait = Math.max(0, this.#lastBegun + this.#options.collectMs - performance.now());
    const timer = setTimeout(begin, wait);
    this.#cancelNext = () => clearTimeout(timer);
  }

  #hasNext(): boolean {
    for (const editor of this.#waiting.keys()) if (!this.#inFlight.has(editor)) return true;
    return false;
  }

  async #storeGroup(): Promise<void> {
    const begun = performance.now();
    this.#lastBegun = begun;
    this.#isAwaited = false;
    let bytes = 0;
    const taken: [OpenEditor, Batch][] = [];
    for (const [editor, batch] of this.#waiting) {
      // An acknowledged update must not depend on one that may still be lost.
      if (this.#inFlight.has(editor)) continue;
      if (bytes > 0 && bytes + batch.bytes > GROUP_BYTES) break;
      bytes += batch.bytes;
      this.#waiting.delete(editor);
      this.#inFlight.set(editor, batch);
      taken.push([editor, batch]);
    }
    // One order everywhere, so that two processes cannot deadlock.
    await this.#storeOrSplit(taken.sort(([a], [b]) => (a.id < b.id ? -1 : 1)));
    storeSeconds.observe((performance.now() - begun) / 1_000);
    this.#waitingBytes -= bytes;
    for (const [editor] of taken) this.#inFlight.delete(editor);
  }

  /** Stores a group; if one of its batches makes that fail, each batch is stored separately. */
  async #storeOrSplit(group: [OpenEditor, Batch][]): Promise<void> {
    try {
      await this.#storeWithRetries(group);
    } catch (error) {
      if (group.length > 1) {
        for (const member of group) await this.#storeOrSplit([member]);
        return;
      }
      this.#options.onError(error);
      for (const [editor, { done }] of group) {
        this.#options.onLost(editor);
        done.reject(error);
      }
    }
  }

  async #storeWithRetries(group: [OpenEditor, Batch][]): Promise<void> {
    let left = group;
    for (let attempt = 0; left.length > 0; attempt++) {
      try {
        left = await this.#storeOnce(left, attempt);
      } catch (error) {
        if (this.#isStopped || !(isUnavailable(error) || isTransient(error))) throw error;
        if (attempt === 0) this.#options.onError(error);
        await pause(Math.min(MAX_BACKOFF_MS, 50 * 2 ** attempt));
      }
    }
  }

  /** Returns the batches that must be stored again. */
  async #storeOnce(group: [OpenEditor, Batch][], attempt: number): Promise<[OpenEditor, Batch][]> {
    const { db, onStored, onGone } = this.#options;
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
      // Another process may have created the editor at the same moment, which only a second statement sees.
      if (editor.incarnation === null && attempt === 0) return true;
      onGone(editor);
      batch.done.reject(new EditorGone());
      return false;
    });
  }
}

/** The editor that updates belong to was deleted. */
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
