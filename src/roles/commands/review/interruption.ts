const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on a signal that the terminal has sent to the whole group, so that it arrives twice. */
const SAME_SIGNAL_MS = 500;

/** The review was interrupted by a signal. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

export interface Interruption {
  /** Aborted by the first signal, with an `Interrupted`. */
  signal: AbortSignal;
  /** Aborted by the second signal. */
  atOnce: AbortSignal;
}

/**
 * Handles Ctrl-C and the like until the process ends: the first one asks for an orderly end, and the second one for an
 * end at once.
 */
export function watchSignals(target: Pick<NodeJS.Process, 'on'> = process): Interruption {
  const first = new AbortController();
  const second = new AbortController();
  let arrivedAt = 0;
  const onSignal = () => {
    if (!first.signal.aborted) {
      arrivedAt = performance.now();
      first.abort(new Interrupted('The review was interrupted.'));
    } else if (performance.now() - arrivedAt > SAME_SIGNAL_MS) second.abort();
  };
  for (const name of SIGNALS) target.on(name, onSignal);
  return { signal: first.signal, atOnce: second.signal };
}

/** Rejects with the reason of a signal once it is aborted. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(signal.reason instanceof Interrupted ? signal.reason : new Interrupted('Ended.'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
  aborted.catch(() => {});
  return aborted;
}
