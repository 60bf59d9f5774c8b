import { type FaultLog, logFault } from '../../db/log-fault.ts';
import type { Db } from '../../db/tables.ts';
import type { JobPayload } from '../../jobs/job.ts';
import { DAY_MS } from '../../lib/day.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { nextSlice } from '../../lib/threads/in-slices.ts';
import {
  acquireLease,
  currentMarks,
  deletePlaces,
  type Lease,
  lastMarks,
  listDue,
  noteConsolidated,
  type PlaceMark,
  releaseLease,
  renewLease,
  WHOLE_KEY,
} from '../../store/memory/consolidations.ts';
import { listPatternRows, writePatterns } from '../../store/memory/patterns.ts';
import type { AlertCandidate } from './alert-candidate.ts';
import { buildProfiles } from './build-profiles.ts';
import { detectDrift } from './drift-alerts.ts';
import { findPatterns, isUnchanged, matchEarlierPatterns } from './find-patterns.ts';
import { raiseAlerts } from './raise-alerts.ts';
import { type Checkpoint, readDecisions } from './read-judgments.ts';

interface Log {
  info(context: object, message: string): void;
}

export interface ConsolidationResult {
  /** Patterns of the places that were processed. */
  patterns: number;
  profiles: number;
  /** Alerts raised. */
  alerts: number;
  judgmentsRead: number;
  startedAt: number;
  completedAt: number;
}

/** Interval between renewals of the lease. */
const RENEW_MS = 15_000;

/**
 * Derives patterns, profiles and alerts from the judgments of an API key; patterns only in places whose judgments
 * changed. Undefined if another process holds the lease. An abort takes effect at the next page of judgments; finished
 * places stay done.
 */
export async function consolidate(
  { db, log }: { db: Db; log: Log },
  scope: Scope,
  { force = false, signal }: { force?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<ConsolidationResult | undefined> {
  const lease = await acquireLease(db, scope);
  if (!lease) return undefined;
  try {
    return await consolidateWithLease({ db, log }, lease, {
      force,
      checkpoint: createCheckpoint(db, lease, signal),
    });
  } finally {
    await releaseLease(db, lease);
  }
}

function createCheckpoint(db: Db, lease: Lease, signal: AbortSignal | undefined): Checkpoint {
  let renewedAt = Date.now();
  return async () => {
    signal?.throwIfAborted();
    await nextSlice();
    if (Date.now() - renewedAt < RENEW_MS) return;
    await renewLease(db, lease);
    renewedAt = Date.now();
  };
}

async function consolidateWithLease(
  { db, log }: { db: Db; log: Log },
  lease: Lease,
  { force, checkpoint }: { force: boolean; checkpoint: Checkpoint },
): Promise<ConsolidationResult> {
  const startedAt = Date.now();
  const [known, places] = [await lastMarks(db, lease), await currentMarks(db, lease)];
  const hasChanged = ({ organizationId, mark }: PlaceMark) => force || known.get(organizationId) !== mark;
  const whole = places.find(({ organizationId }) => organizationId === WHOLE_KEY)!;
  const candidates: AlertCandidate[] = [];
  let [patterns, profiles] = [0, 0];
  if (hasChanged(whole)) {
    const { apiKeyId } = lease;
    await forgetGone(db, lease, known, places);
    // The key as a whole comes last, since its mark records that all places are done.
    for (const place of [...places.slice(1).filter(hasChanged), whole]) {
      const found = await consolidatePlace(db, lease, place, { checkpoint, now: startedAt });
      patterns += found.patterns;
      candidates.push(...found.candidates);
      log.info(
        { apiKeyId, organizationId: place.organizationId, patterns: found.patterns },
        'derived patterns',
      );
      await checkpoint();
    }
    profiles = await buildProfiles(db, lease, { checkpoint, now: startedAt });
    log.info({ apiKeyId, profiles }, 'wrote profiles of reviewers');
  }
  const alerts = await raiseAlerts(db, lease, candidates, startedAt);
  await db.transaction().execute(async (tx) => {
    await renewLease(tx, lease);
    await noteConsolidated(tx, lease, WHOLE_KEY, whole.mark);
  });
  const judgmentsRead = hasChanged(whole) ? whole.judgments : 0;
  const done = { patterns, profiles, alerts, judgmentsRead, startedAt, completedAt: Date.now() };
  log.info({ apiKeyId: lease.apiKeyId, ...done }, 'consolidated the memory of an API key');
  return done;
}

async function forgetGone(
  db: Db,
  lease: Lease,
  known: ReadonlyMap<string, string>,
  places: readonly PlaceMark[],
): Promise<void> {
  const present = new Set(places.map((place) => place.organizationId));
  const gone = [...known.keys()].filter((organizationId) => !present.has(organizationId));
  if (gone.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await renewLease(tx, lease);
    await deletePlaces(tx, lease, gone);
  });
}

async function consolidatePlace(
  db: Db,
  lease: Lease,
  { organizationId, mark }: PlaceMark,
  { checkpoint, now }: { checkpoint: Checkpoint; now: number },
): Promise<{ patterns: number; candidates: AlertCandidate[] }> {
  const decided = await readDecisions(db, lease, organizationId, checkpoint);
  const judgedSince = decided.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), now);
  const found = await findPatterns(organizationId, decided);
  const earlier = matchEarlierPatterns(found, await listPatternRows(db, lease, organizationId));
  const rows = found.map((pattern) => {
    const { members: _, ...facts } = pattern;
    const row = earlier.get(pattern);
    const unchanged = row !== undefined && isUnchanged(pattern, row);
    const patternId = row?.patternId ?? newId('pat');
    const times = { discoveredAt: row?.discoveredAt ?? now, updatedAt: unchanged ? row.updatedAt : now };
    return { pattern, unchanged, written: { ...facts, patternId, ...times } };
  });
  await db.transaction().execute(async (tx) => {
    await renewLease(tx, lease);
    await writePatterns(tx, lease, organizationId, {
      kept: rows.filter((row) => row.unchanged).map((row) => row.written.patternId),
      written: rows.filter((row) => !row.unchanged).map((row) => row.written),
    });
    if (organizationId !== WHOLE_KEY) await noteConsolidated(tx, lease, organizationId, mark);
  });
  return {
    patterns: rows.length,
    candidates: rows.flatMap(
      ({ pattern, written }) => detectDrift(written.patternId, pattern, { now, judgedSince }) ?? [],
    ),
  };
}

/** Without a judgment newer than this, no anomaly of the last week is possible. */
const STILL_NEW_MS = 37 * DAY_MS;

/** Consolidates the given API key, or every key that is due, one after the other. */
export async function consolidateDue(
  { db, log }: { db: Db; log: FaultLog & Log },
  { key, force = false }: JobPayload<'memory.consolidate'>,
  signal: AbortSignal,
): Promise<void> {
  const due = key ? [key] : await listDue(db, { stillNewMs: STILL_NEW_MS, dayMs: DAY_MS });
  for (const scope of due) {
    if (signal.aborted) return;
    try {
      await consolidate({ db, log }, scope, { force, signal });
    } catch (error) {
      if (signal.aborted) return;
      const { apiKeyId } = scope;
      // The new holder of the lease does all of the work.
      if (error instanceof LeaseLost) log.info({ apiKeyId }, error.message);
      else logFault(log, error, 'could not consolidate the memory of an API key', { apiKeyId });
    }
  }
}
