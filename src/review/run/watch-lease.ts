import { setTimeout as sleep } from 'node:timers/promises';
import { holdsLease, LEASE_MS, LeaseLost, renewLease } from '../../store/agents/execution-leases.ts';
import type { Held } from '../core/run-state.ts';

const LOOK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = LEASE_MS / 6;

/**
 * Keeps a run this process's until stopped. The signal is aborted about a second after the run was taken over or
 * ended by somebody else, so that nothing more is spent on it.
 */
export function watchLease(
  { db, ref, owner }: Pick<Held, 'db' | 'ref' | 'owner'>,
  onError: (error: unknown) => void,
): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const stopped = new AbortController();
  const watch = async (): Promise<void> => {
    let renewedAt = Date.now();
    while (!stopped.signal.aborted) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      const isDue = Date.now() - renewedAt >= RENEW_EVERY_MS;
      try {
        const kept = await (isDue ? renewLease : holdsLease)(db, ref, owner);
        if (!kept)
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
