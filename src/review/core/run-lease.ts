import type { Db } from '../../db/tables.ts';
import { type KeptLease, keepLease } from '../../lib/lease.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import { holdsLease, LEASE_MS, renewLease } from '../../store/agents/execution-leases.ts';
import type { RunLog } from './run-log.ts';

const CHECK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = LEASE_MS / 6;

/** This process's lease of a run, with what is needed to read and write the run's data under it. */
export interface RunLease {
  db: Db;
  scorer: Scorer;
  ref: Scope & { executionId: string };
  /** Identifies this process's attempt; transactions check it against the row. */
  owner: string;
  log: RunLog;
}

/**
 * Renews the lease until stopped. `lost` is aborted about a second after another process took the run over or the run
 * was ended, so that no more is spent on it.
 */
export function watchLease(
  { db, ref, owner }: Pick<RunLease, 'db' | 'ref' | 'owner'>,
  onError: (error: unknown) => void,
): KeptLease {
  let renewedAt = Date.now();
  const renew = async (): Promise<boolean> => {
    const isDue = Date.now() - renewedAt >= RENEW_EVERY_MS;
    const isOurs = await (isDue ? renewLease : holdsLease)(db, ref, owner);
    if (isDue) renewedAt = Date.now();
    return isOurs;
  };
  return keepLease(renew, { everyMs: CHECK_EVERY_MS, onError });
}
