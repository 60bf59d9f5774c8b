import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { oldActivities, oldDeliveries, oldEvents, oldNotifications } from './old-rows.ts';
import {
  countOldFiles,
  countOldLogs,
  countOldRuns,
  removeOldFiles,
  removeOldLogs,
  removeOldRuns,
} from './old-runs.ts';
import type { Tally } from './tally.ts';

/** The kinds of data that are removed by age, in the order of removal: runs go before parts of the runs that stay. */
export const RETENTION_KINDS = [
  'runs',
  'screenshots',
  'run_logs',
  'notifications',
  'activities',
  'events',
  'deliveries',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days for which each kind is kept; undefined is for ever. */
export type KeptDays = Readonly<Record<RetentionKind, number | undefined>>;

interface Kind {
  /** Counts what `remove` would remove, after what is older than `runsBefore` has been removed with its runs. */
  count(db: Db, before: number, runsBefore: number | undefined): Promise<Tally>;
  remove(db: Db, before: number, signal: AbortSignal): Promise<Tally>;
}

const KINDS: Record<RetentionKind, Kind> = {
  runs: { count: countOldRuns, remove: removeOldRuns },
  screenshots: { count: countOldFiles, remove: removeOldFiles },
  run_logs: { count: countOldLogs, remove: removeOldLogs },
  notifications: oldNotifications,
  activities: oldActivities,
  events: oldEvents,
  deliveries: oldDeliveries,
};

const cutoff = (days: number | undefined, now: number): number | undefined =>
  days === undefined ? undefined : now - days * DAY_MS;

/** Counts what a removal would remove of a kind; undefined if the kind is kept for ever. */
export async function countOld(
  db: Db,
  kind: RetentionKind,
  kept: KeptDays,
  now: number,
): Promise<Tally | undefined> {
  const before = cutoff(kept[kind], now);
  return before === undefined ? undefined : await KINDS[kind].count(db, before, cutoff(kept.runs, now));
}

/**
 * Removes what is older than it is to be kept, in short transactions; undefined if the kind is kept for ever. Files are
 * marked for deletion. Rejects between two transactions if the signal is aborted.
 */
export async function removeOld(
  db: Db,
  kind: RetentionKind,
  kept: KeptDays,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<Tally | undefined> {
  const before = cutoff(kept[kind], now);
  return before === undefined ? undefined : await KINDS[kind].remove(db, before, signal);
}
