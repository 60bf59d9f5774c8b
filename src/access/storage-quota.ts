import type { Db } from '../db/tables.ts';
import { resourceExhausted } from '../lib/errors.ts';
import { addStored, countStored, storedSince } from '../store/platform/stored-bytes.ts';

/** How much each API key may store, decided from a copy in memory. */
export interface StorageQuota {
  /** Bytes that a key may store; undefined without a bound. */
  readonly boundBytes: number | undefined;
  /** True where so many bytes more would pass the bound. */
  isPassedBy(apiKeyId: string, bytes: number): boolean;
  /** Throws RESOURCE_EXHAUSTED in that case. */
  requireRoom(apiKeyId: string, bytes: number): void;
  /** Counts what was stored, until the next count of everything. */
  count(apiKeyId: string, bytes: number): void;
  /** Writes what was counted here down, and learns what other processes counted. */
  refresh(): Promise<void>;
  /**
   * Counts keys anew that are over the bound, so that what they deleted is seen soon. Throws an error that names the
   * keys that could not be counted, once the others are.
   */
  recount(): Promise<void>;
  /** Writes down what was counted here last, unless that fails. */
  stop(): Promise<void>;
}

interface QuotaOptions {
  db: Db;
  boundBytes: number | undefined;
  /** True counts what comes between two counts; by default only where a bound depends on it. */
  isCounting?: boolean;
  onError(error: Error): void;
  refreshEveryMs?: number;
}

const REFRESH_EVERY_MS = 10_000;
const RECOUNT_AFTER_MS = 60_000;
/** A count that takes long must not become most of what the database does. */
const RECOUNT_SHARE = 20;
const RECOUNT_AT_ONCE = 10;

export function createStorageQuota({
  db,
  boundBytes,
  isCounting = boundBytes !== undefined,
  onError,
  refreshEveryMs = REFRESH_EVERY_MS,
}: QuotaOptions): StorageQuota {
  const known = new Map<string, number>();
  const recounts = new Map<string, { endedAt: number; dueAt: number }>();
  let added = new Map<string, number>();
  let seenUpTo: number | undefined;
  let refreshing: Promise<void> | undefined;
  let isStopped = false;

  const storedBy = (apiKeyId: string): number => (known.get(apiKeyId) ?? 0) + (added.get(apiKeyId) ?? 0);
  const isPassedBy = (apiKeyId: string, bytes: number): boolean =>
    boundBytes !== undefined && storedBy(apiKeyId) + bytes > boundBytes;

  const writeDown = async () => {
    if (added.size === 0) return;
    const taken = added;
    added = new Map();
    if (boundBytes !== undefined)
      for (const [apiKeyId, bytes] of taken) known.set(apiKeyId, (known.get(apiKeyId) ?? 0) + bytes);
    try {
      await addStored(db, taken);
    } catch (error) {
      for (const [apiKeyId, bytes] of taken) {
        if (boundBytes !== undefined) known.set(apiKeyId, (known.get(apiKeyId) ?? 0) - bytes);
        added.set(apiKeyId, (added.get(apiKeyId) ?? 0) + bytes);
      }
      throw error;
    }
  };
  const refresh = async () => {
    if (!isCounting) return;
    try {
      await writeDown();
    } finally {
      // Bounds hold also while nothing can be written.
      if (boundBytes !== undefined) await learn();
    }
  };
  const learn = async () => {
    const { rows, upTo } = await storedSince(db, seenUpTo);
    seenUpTo = upTo;
    for (const { apiKeyId, rowBytes, fileBytes, addedBytes } of rows)
      known.set(apiKeyId, rowBytes + fileBytes + addedBytes);
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
    boundBytes,
    isPassedBy,
    requireRoom(apiKeyId, bytes) {
      if (boundBytes === undefined || !isPassedBy(apiKeyId, bytes)) return;
      const has = `The API key has stored ${inMb(storedBy(apiKeyId))} MB, and may store ${inMb(boundBytes)} MB`;
      throw resourceExhausted(
        storedBy(apiKeyId) > boundBytes
          ? `${has}: nothing is added until some of it is deleted. Reads and deletions go on.`
          : `${has}: this request would add too much. Reads and deletions go on.`,
      );
    },
    count(apiKeyId, bytes) {
      if (isCounting && bytes > 0) added.set(apiKeyId, (added.get(apiKeyId) ?? 0) + bytes);
    },
    refresh: refreshOnce,
    async recount() {
      const now = Date.now();
      const due = [...known.keys()]
        .filter((apiKeyId) => isPassedBy(apiKeyId, 0) && (recounts.get(apiKeyId)?.dueAt ?? 0) <= now)
        .sort((a, b) => (recounts.get(a)?.endedAt ?? 0) - (recounts.get(b)?.endedAt ?? 0))
        .slice(0, RECOUNT_AT_ONCE);
      const failures = new Map<string, unknown>();
      for (const apiKeyId of due) {
        if (isStopped) break;
        const began = Date.now();
        try {
          await countStored(db, apiKeyId);
        } catch (error) {
          failures.set(apiKeyId, error);
        } finally {
          const endedAt = Date.now();
          const waitMs = Math.max(RECOUNT_AFTER_MS, RECOUNT_SHARE * (endedAt - began));
          recounts.set(apiKeyId, { endedAt, dueAt: endedAt + waitMs });
        }
      }
      if (!isStopped && due.length > failures.size) await refreshOnce();
      if (failures.size > 0) {
        const keys = [...failures.keys()].join(', ');
        throw new AggregateError(failures.values(), `What API keys store could not be counted: ${keys}.`);
      }
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      // What a refresh that fails had taken, it puts back.
      await refreshing?.catch(() => {});
      await writeDown().catch(onError);
    },
  };
}

const inMb = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;
