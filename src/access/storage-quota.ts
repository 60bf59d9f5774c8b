import type { Db } from '../db/tables.ts';
import { DAY_MS } from '../lib/day.ts';
import { resourceExhausted } from '../lib/errors.ts';
import {
  addStored,
  countStored,
  countWorkspaceStored,
  listUncounted,
  storedSince,
} from '../store/platform/stored-bytes.ts';

/** The storage limit of API keys, decided from a copy of their usage in memory. */
export interface StorageQuota {
  /** Bytes that an API key may store; undefined without a limit. */
  readonly limitBytes: number | undefined;
  /** True if the additional bytes would exceed the limit. */
  wouldExceed(apiKeyId: string, bytes: number): boolean;
  /** Throws RESOURCE_EXHAUSTED if the additional bytes would exceed the limit. */
  requireRoom(apiKeyId: string, bytes: number): void;
  /** Adds stored bytes to the usage, until the next full count. */
  count(apiKeyId: string, bytes: number): void;
  /** Writes this process's additions to the database and reads those of others. */
  refresh(): Promise<void>;
  /**
   * Counts API keys over the limit again, so that their deletions take effect soon, and new API keys and workspaces for
   * the first time. Throws an AggregateError that names what could not be counted, after all were tried.
   */
  recount(): Promise<void>;
  /** Writes the last additions, if that is possible. */
  stop(): Promise<void>;
}

interface QuotaOptions {
  db: Db;
  limitBytes: number | undefined;
  /** True tracks additions between full counts; by default only if there is a limit. */
  isCounting?: boolean;
  onError(error: Error): void;
  refreshEveryMs?: number;
}

const REFRESH_EVERY_MS = 10_000;
const RECOUNT_AFTER_MS = 60_000;
/** A recount waits this many times its own duration, so that counting never takes most of the database's time. */
const RECOUNT_SHARE = 20;
const RECOUNT_AT_ONCE = 10;
/** Older ones, which may store much, are left to the full count. */
const NEW_MS = DAY_MS;
/** More than are counted at once, so that those that cannot be counted do not keep the others waiting. */
const MAX_UNCOUNTED = 100;

/** Creates the quota; without a limit it only counts, if `isCounting` is set. */
export function createStorageQuota({
  db,
  limitBytes,
  isCounting = limitBytes !== undefined,
  onError,
  refreshEveryMs = REFRESH_EVERY_MS,
}: QuotaOptions): StorageQuota {
  const usage = new UsageCache(db, limitBytes !== undefined);
  const recounts = new RecountSchedule();
  let refreshing: Promise<void> | undefined;
  let isStopped = false;

  const wouldExceed = (apiKeyId: string, bytes: number): boolean =>
    limitBytes !== undefined && usage.of(apiKeyId) + bytes > limitBytes;

  const refresh = async () => {
    if (!isCounting) return;
    try {
      await usage.writeAdditions();
    } finally {
      // The limit applies even if nothing can be written.
      if (limitBytes !== undefined) await usage.read();
    }
  };
  const refreshOnce = (): Promise<void> => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  const timer = isCounting
    ? setInterval(() => void refreshOnce().catch(onError), refreshEveryMs).unref()
    : undefined;

  return {
    limitBytes,
    wouldExceed,
    requireRoom(apiKeyId, bytes) {
      if (limitBytes === undefined || !wouldExceed(apiKeyId, bytes)) return;
      const stored = usage.of(apiKeyId);
      const has = `The API key has stored ${inMb(stored)} MB, and may store ${inMb(limitBytes)} MB`;
      throw resourceExhausted(
        stored > limitBytes
          ? `${has}: nothing is added until some of it is deleted. Reads and deletions go on.`
          : `${has}: this request would add too much. Reads and deletions go on.`,
      );
    },
    count(apiKeyId, bytes) {
      if (isCounting && bytes > 0) usage.add(apiKeyId, bytes);
    },
    refresh: refreshOnce,
    async recount() {
      const uncounted = await listUncounted(db, Date.now() - NEW_MS, MAX_UNCOUNTED);
      const overLimit = usage.apiKeyIds().filter((apiKeyId) => wouldExceed(apiKeyId, 0));
      const due = new Map([
        ...recounts.due(overLimit).map((id) => [id, countStored] as const),
        ...recounts.due(uncounted.apiKeyIds).map((id) => [id, countStored] as const),
        ...recounts.due(uncounted.workspaceIds).map((id) => [id, countWorkspaceStored] as const),
      ]);
      const failures = new Map<string, unknown>();
      for (const [id, count] of due) {
        if (isStopped) break;
        await recounts.run(id, () => count(db, id)).catch((error: unknown) => failures.set(id, error));
      }
      if (!isStopped && due.size > failures.size) await refreshOnce();
      if (failures.size > 0) {
        const ids = [...failures.keys()].join(', ');
        throw new AggregateError(failures.values(), `What these store could not be counted: ${ids}.`);
      }
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      // A failed refresh puts its additions back, so they are written here.
      await refreshing?.catch(() => {});
      await usage.writeAdditions().catch(onError);
    },
  };
}

const increase = (totals: Map<string, number>, apiKeyId: string, bytes: number) =>
  totals.set(apiKeyId, (totals.get(apiKeyId) ?? 0) + bytes);

/** Bytes by API key: the stored totals as last read, and the additions that are not written yet. */
class UsageCache {
  readonly #db: Db;
  /** False skips the totals, which only a limit needs. */
  readonly #hasLimit: boolean;
  readonly #totals = new Map<string, number>();
  #additions = new Map<string, number>();
  #readUpTo: number | undefined;

  constructor(db: Db, hasLimit: boolean) {
    this.#db = db;
    this.#hasLimit = hasLimit;
  }

  of(apiKeyId: string): number {
    return (this.#totals.get(apiKeyId) ?? 0) + (this.#additions.get(apiKeyId) ?? 0);
  }

  apiKeyIds(): string[] {
    return [...this.#totals.keys()];
  }

  add(apiKeyId: string, bytes: number): void {
    increase(this.#additions, apiKeyId, bytes);
  }

  async writeAdditions(): Promise<void> {
    if (this.#additions.size === 0) return;
    const written = this.#additions;
    this.#additions = new Map();
    if (this.#hasLimit) for (const [apiKeyId, bytes] of written) increase(this.#totals, apiKeyId, bytes);
    try {
      await addStored(this.#db, written);
    } catch (error) {
      for (const [apiKeyId, bytes] of written) {
        if (this.#hasLimit) increase(this.#totals, apiKeyId, -bytes);
        increase(this.#additions, apiKeyId, bytes);
      }
      throw error;
    }
  }

  async read(): Promise<void> {
    const { rows, upTo } = await storedSince(this.#db, this.#readUpTo);
    this.#readUpTo = upTo;
    for (const { apiKeyId, rowBytes, fileBytes, addedBytes } of rows) {
      this.#totals.set(apiKeyId, rowBytes + fileBytes + addedBytes);
    }
  }
}

/** Times of recounts by API key or workspace. Those with large contents take long, and are counted again less often. */
class RecountSchedule {
  readonly #counts = new Map<string, { endedAt: number; dueAt: number }>();

  /** Those that may be counted now, those first that were counted longest ago. */
  due(ids: string[]): string[] {
    const now = Date.now();
    return ids
      .filter((id) => (this.#counts.get(id)?.dueAt ?? 0) <= now)
      .sort((a, b) => (this.#counts.get(a)?.endedAt ?? 0) - (this.#counts.get(b)?.endedAt ?? 0))
      .slice(0, RECOUNT_AT_ONCE);
  }

  async run(id: string, count: () => Promise<void>): Promise<void> {
    const startedAt = Date.now();
    try {
      await count();
    } finally {
      const endedAt = Date.now();
      const waitMs = Math.max(RECOUNT_AFTER_MS, RECOUNT_SHARE * (endedAt - startedAt));
      this.#counts.set(id, { endedAt, dueAt: endedAt + waitMs });
    }
  }
}

const inMb = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
