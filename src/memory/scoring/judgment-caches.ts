import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import {
  countSearchRows,
  type JudgmentChanges,
  listChanges,
  listSearchRows,
  renumberChanges,
  searchRowsById,
} from '../../store/memory/search-rows.ts';
import { JudgmentCache } from './judgment-cache.ts';

type Kind = 'review' | 'content';

/** Judgments read by one statement. */
const BATCH_SIZE = 2_000;
/** Above every transaction id, so that a reading lists no changes. */
const NEVER = '18446744073709551615';
/** Time for which a key stays marked as too large to cache. */
const TOO_LARGE_MS = 10 * 60_000;

interface Kept {
  cache: JudgmentCache;
  watermark: string;
  server: string;
}

/** Runs work one turn at a time; callers that arrive while a turn is queued share it (coalescing). */
class CoalescedWork<T> {
  readonly #work: () => Promise<T>;
  #running: Promise<unknown> | undefined;
  #waiting: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /** The result of a turn that begins after this call. */
  take(): Promise<T> {
    if (this.#waiting) return this.#waiting;
    const turn = (this.#running ?? Promise.resolve()).then(() => {
      this.#waiting = undefined;
      return this.#work();
    });
    this.#waiting = turn;
    const running = turn
      .catch(() => {})
      .then(() => {
        if (this.#running === running) this.#running = undefined;
      });
    this.#running = running;
    return turn;
  }
}

/** Runs tasks strictly one after the other. */
class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/**
 * Reads changes for the caches of both kinds of an API key: readings that are asked for in one turn of the event loop
 * share a statement, which begins at the earlier of their watermarks.
 */
class SharedReadings {
  readonly #db: Db;
  readonly #waiting = new Map<string, { since: string; changes: Promise<JudgmentChanges> }>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Changes since a watermark or an earlier one. */
  changes(apiKeyId: string, since: string): Promise<JudgmentChanges> {
    const waiting = this.#waiting.get(apiKeyId);
    if (waiting) {
      if (BigInt(since) < BigInt(waiting.since)) waiting.since = since;
      return waiting.changes;
    }
    const reading = { since, changes: this.#read(apiKeyId) };
    this.#waiting.set(apiKeyId, reading);
    return reading.changes;
  }

  async #read(apiKeyId: string): Promise<JudgmentChanges> {
    await setImmediate();
    const { since } = this.#waiting.get(apiKeyId)!;
    this.#waiting.delete(apiKeyId);
    return await listChanges(this.#db, { apiKeyId }, since);
  }
}

/** The cache of one API key and kind, loaded on first use. */
class KeyCache {
  readonly #db: Db;
  readonly #apiKeyId: string;
  readonly #kind: Kind;
  readonly #maxBytes: number;
  readonly #loads: SerialQueue;
  readonly #readings: SharedReadings;
  readonly #turns = new CoalescedWork(() => this.#follow());
  #kept: Kept | undefined;

  constructor(
    { db, loads, readings }: { db: Db; loads: SerialQueue; readings: SharedReadings },
    apiKeyId: string,
    kind: Kind,
    maxBytes: number,
  ) {
    this.#db = db;
    this.#apiKeyId = apiKeyId;
    this.#kind = kind;
    this.#maxBytes = maxBytes;
    this.#loads = loads;
    this.#readings = readings;
  }

  /** The cache as it is. */
  get loaded(): JudgmentCache | undefined {
    return this.#kept?.cache;
  }

  get bytes(): number {
    return this.#kept?.cache.bytes ?? 0;
  }

  /** The cache, with everything that was committed before this call; undefined if it is too large. */
  current(): Promise<JudgmentCache | undefined> {
    return this.#turns.take();
  }

  async #follow(): Promise<JudgmentCache | undefined> {
    let kept = this.#kept;
    if (kept) {
      const changes = await this.#readings.changes(this.#apiKeyId, kept.watermark);
      const isMissed = BigInt(kept.watermark) <= BigInt(changes.floor);
      if (changes.server !== kept.server || isMissed || kept.cache.needsRebuild) kept = undefined;
      else {
        // Dropped first: after an error half way its state is unknown.
        this.#kept = undefined;
        await this.#apply(kept, changes);
        if (kept.cache.bytes > this.#maxBytes) return undefined;
        this.#kept = kept;
        return kept.cache;
      }
    }
    this.#kept = undefined;
    // One key loads at a time, so that loading caches stay within the memory limit together.
    kept = await this.#loads.next(() => this.#load());
    this.#kept = kept;
    return kept?.cache;
  }

  async #load(): Promise<Kept | undefined> {
    const key = { apiKeyId: this.#apiKeyId };
    const before = await listChanges(this.#db, key, NEVER);
    const cache = new JudgmentCache(await countSearchRows(this.#db, key));
    let after = '';
    for (;;) {
      const copies = await listSearchRows(this.#db, key, this.#kind, after, BATCH_SIZE);
      for (const copy of copies) cache.put(copy);
      if (copies.length < BATCH_SIZE) break;
      after = copies.at(-1)!.judgmentId;
      if (cache.bytes > this.#maxBytes) return undefined;
    }
    cache.trim();
    if (cache.bytes > this.#maxBytes) return undefined;
    const kept = { cache, watermark: before.watermark, server: before.server };
    // Applies what was written during the load.
    const changes = await listChanges(this.#db, key, before.watermark);
    await this.#apply(kept, changes);
    return kept;
  }

  async #apply(kept: Kept, changes: JudgmentChanges): Promise<void> {
    const { cache } = kept;
    if (changes.hasForeign) await renumberChanges(this.#db, { apiKeyId: this.#apiKeyId });
    for (const judgmentId of changes.goneIds) cache.remove(judgmentId);
    // One open transaction keeps the watermark down, so that known changes are listed again.
    const unknown = changes.changed.filter(
      ({ judgmentId, changed }) => cache.changedAt(judgmentId) !== changed,
    );
    for (let from = 0; from < unknown.length; from += BATCH_SIZE) {
      const ids = unknown.slice(from, from + BATCH_SIZE).map(({ judgmentId }) => judgmentId);
      const copies = await searchRowsById(this.#db, { apiKeyId: this.#apiKeyId }, this.#kind, ids);
      for (const copy of copies) cache.put(copy);
      const found = new Set(copies.map(({ judgmentId }) => judgmentId));
      for (const judgmentId of ids) if (!found.has(judgmentId)) cache.remove(judgmentId);
    }
    kept.watermark = changes.watermark;
  }
}

/** An LRU of caches by API key and kind, bounded by bytes. */
export class JudgmentCaches {
  readonly #db: Db;
  readonly #maxBytes: number;
  /** In order of use, most recent last. */
  readonly #caches = new Map<string, KeyCache>();
  readonly #tooLarge = new Map<string, number>();
  readonly #loads = new SerialQueue();
  readonly #readings: SharedReadings;

  constructor(db: Db, maxBytes: number) {
    this.#db = db;
    this.#maxBytes = maxBytes;
    this.#readings = new SharedReadings(db);
  }

  get bytes(): number {
    return [...this.#caches.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The cache of a key as it was at its last use; undefined if it is not loaded. */
  loaded(apiKeyId: string, kind: Kind): JudgmentCache | undefined {
    return this.#caches.get(nameOf(apiKeyId, kind))?.loaded;
  }

  /** The up-to-date cache of a key; undefined if it does not fit. */
  async current(apiKeyId: string, kind: Kind): Promise<JudgmentCache | undefined> {
    const name = nameOf(apiKeyId, kind);
    if ((this.#tooLarge.get(name) ?? 0) > Date.now()) return undefined;
    const shared = { db: this.#db, loads: this.#loads, readings: this.#readings };
    const keyCache = this.#caches.get(name) ?? new KeyCache(shared, apiKeyId, kind, this.#maxBytes);
    this.#caches.delete(name);
    this.#caches.set(name, keyCache);
    const cache = await keyCache.current();
    if (cache) this.#tooLarge.delete(name);
    else {
      this.#tooLarge.set(name, Date.now() + TOO_LARGE_MS);
      this.#caches.delete(name);
    }
    for (const [other, { bytes }] of this.#caches) {
      if (this.bytes <= this.#maxBytes) break;
      if (other !== name && bytes > 0) this.#caches.delete(other);
    }
    return cache;
  }
}

const nameOf = (apiKeyId: string, kind: Kind): string => JSON.stringify([apiKeyId, kind]);
