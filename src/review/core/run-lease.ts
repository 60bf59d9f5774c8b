import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Scorer } from '../../memory/scoring/scorer.ts';
import { holdsLease, LEASE_MS, LeaseLost, renewLease } from '../../store/agents/execution-leases.ts';
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
): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const stopped = new AbortController();
  const watch = async (): Promise<void> => {
    let renewedAt = Date.now();
    while (!stopped.signal.aborted) {
      await sleep(CHECK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      const isDue = Date.now() - renewedAt >= RENEW_EVERY_MS;
      try {
        const isOurs = await (isDue ? renewLease : holdsLease)(db, ref, owner);
        if (!isOurs)
          return lost.abort(new LeaseLost(`The run ${ref.executionId} is no longer this process's.`));
        if (isDue) renewedAt = Date.now();
      } catch (error) {
        onError(error);
      }
    }
  };
  void watch();
  return { lost: lost.signal, stop: () => stopped.abort() };
}
