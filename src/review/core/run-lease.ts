import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import { keepLease } from '../../lib/lease.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import { holdsLease, LEASE_MS, renewLease } from '../../store/agents/execution-leases.ts';
import { createRunLog, type RunLog } from './run-log.ts';

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

/** A claimed run, whose lease is renewed in the background. */
interface KeptRun {
  lease: RunLease;
  /**
   * Aborted about a second after another process took the run over or the run was ended, so that no more is spent on it.
   */
  lost: AbortSignal;
  /** Ends the renewal and writes the rest of the run's log. */
  stop(): Promise<void>;
}

/** Renews the lease of a run that this process has claimed, and opens the run's log. */
export function keepRunLease(
  { db, scorer, log: processLog }: Pick<RunLease, 'db' | 'scorer'> & { log: Logger },
  ref: RunLease['ref'],
  owner: string,
): KeptRun {
  const warn = (message: string) => (error: unknown) =>
    processLog.warn({ err: error, executionId: ref.executionId }, message);
  const log = createRunLog(db, ref, warn('cannot write the log of a run'));
  let renewedAt = Date.now();
  const renew = async (): Promise<boolean> => {
    const isDue = Date.now() - renewedAt >= RENEW_EVERY_MS;
    const isOurs = await (isDue ? renewLease : holdsLease)(db, ref, owner);
    if (isDue) renewedAt = Date.now();
    return isOurs;
  };
  const onError = warn('cannot renew the lease of a run');
  const { lost, stop } = keepLease(renew, { everyMs: CHECK_EVERY_MS, onError });
  return {
    lease: { db, scorer, ref, owner, log },
    lost,
    stop() {
      stop();
      return log.flush();
    },
  };
}
