import { setTimeout as sleep } from 'node:timers/promises';

interface LeaseOptions {
  everyMs: number;
  /** Called if a renewal throws. The renewal is repeated after `everyMs`. */
  onError(error: unknown): void;
}

/** A lease that is renewed in the background. */
export interface KeptLease {
  /** Aborted once the lease belongs to another process. */
  lost: AbortSignal;
  stop(): void;
}

/** Calls `renew` every `everyMs` until it returns false or `stop` is called. Calls never overlap. */
export function keepLease(renew: () => Promise<boolean>, { everyMs, onError }: LeaseOptions): KeptLease {
  const lost = new AbortController();
  const stopped = new AbortController();
  const keep = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      try {
        if (!(await renew())) return lost.abort();
      } catch (error) {
        onError(error);
      }
    }
  };
  void keep();
  return { lost: lost.signal, stop: () => stopped.abort() };
}
