import { RETIRED_KEY_KEPT_MS } from '../access/user-token.ts';
import type { Booted } from '../boot.ts';
import { logFault } from '../db/log-fault.ts';
import { choreFailures } from '../jobs/job-meters.ts';
import { deleteMarkedFiles } from '../memory/knowledge/knowledge-files.ts';
import { pruneSigningKeys } from '../store/access/signing-keys.ts';
import { pruneUploads } from '../store/knowledge/knowledge-uploads.ts';
import { pruneEditors } from '../store/live/crdt-pruning.ts';
import { pruneLiveEvents } from '../store/live/live-events.ts';
import { prunePresence } from '../store/live/presence-rows.ts';
import { pruneJudgmentDeletions } from '../store/memory/search-rows.ts';
import { pruneEvents } from '../store/platform/events.ts';
import { pruneIdempotencyKeys } from '../store/platform/idempotency.ts';
import { countAllStored, lastCountAt } from '../store/platform/stored-bytes.ts';
import { pruneWebhooks } from '../store/webhooks/prune-deliveries.ts';

type ChoreDeps = Pick<Booted, 'db' | 'log' | 'outside'>;

/** Upkeep that needs nothing but its turn, and may run as often as one likes. */
export interface Chore<Deps = ChoreDeps> {
  name: string;
  run(deps: Deps, now: number): Promise<unknown>;
}

/** What removes that which is no longer needed, once a day. */
export const DAILY: readonly Chore[] = [
  { name: 'idempotency keys', run: ({ db }, now) => pruneIdempotencyKeys(db, now) },
  { name: 'webhook deliveries', run: ({ db }, now) => pruneWebhooks(db, now) },
  { name: 'live events', run: ({ db }, now) => pruneLiveEvents(db, now) },
  { name: 'events', run: ({ db }, now) => pruneEvents(db, now) },
  { name: 'presence', run: ({ db }, now) => prunePresence(db, now) },
  { name: 'editors', run: ({ db }, now) => pruneEditors(db, now) },
  { name: 'deleted judgments', run: ({ db }, now) => pruneJudgmentDeletions(db, now) },
  { name: 'uploads', run: ({ db }, now) => pruneUploads(db, now) },
  {
    name: 'files of deleted sources',
    run: ({ db, outside }, now) => deleteMarkedFiles(db, outside.blobs, now),
  },
  { name: 'signing keys', run: ({ db }, now) => pruneSigningKeys(db, now - RETIRED_KEY_KEPT_MS) },
];

/** What an API key may store is counted again where that is soon to matter. */
export const OFTEN: readonly Chore<Booted>[] = [
  { name: 'stored bytes of keys over their bound', run: ({ storage }) => storage.quota.recount() },
];

const COUNTED_MS = 3_600_000;

/** Has what API keys store counted soon, where the last count is not of the last hour. */
export async function countSoon({ db, jobs }: Pick<Booted, 'db' | 'jobs'>, now: number): Promise<void> {
  if (((await lastCountAt(db)) ?? 0) > now - COUNTED_MS) return;
  await db.transaction().execute((tx) => jobs.enqueue(tx, 'maintenance.count_stored', {}));
}

/** Counts what API keys store, where another process has not just done so. */
export async function countStoredBytes(
  { db, log, storage }: Pick<Booted, 'db' | 'log' | 'storage'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (((await lastCountAt(db)) ?? 0) > Date.now() - COUNTED_MS / 2) return;
    await countAllStored(db, signal);
    await storage.quota.refresh();
  } catch (error) {
    if (!signal.aborted) logFault(log, error, 'stored bytes cannot be counted');
  }
}

/**
 * Runs chores one after the other. What fails is logged and counted, and the others run all the same; answers the
 * names of those that failed.
 */
export async function runChores<Deps extends Pick<Booted, 'log'>>(
  chores: readonly Chore<Deps>[],
  deps: Deps,
): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of chores) {
    try {
      await run(deps, Date.now());
    } catch (error) {
      failed.push(name);
      choreFailures.inc({ chore: name });
      logFault(deps.log, error, 'chore fails', { chore: name });
    }
  }
  return failed;
}

/** Runs chores again and again, until what it answers is called; a run that takes long is followed by none meanwhile. */
export function repeatChores<Deps extends Pick<Booted, 'log'>>(
  chores: readonly Chore<Deps>[],
  deps: Deps,
  everyMs: number,
): () => void {
  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    await runChores(chores, deps).finally(() => {
      isRunning = false;
    });
  }, everyMs);
  return () => clearInterval(timer);
}
