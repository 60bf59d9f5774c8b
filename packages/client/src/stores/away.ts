import { unanswered } from '../connection.ts';
import { isRepeatable, type RedpenError } from '../errors.ts';
import { sleep } from '../waiting.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

let waiting = new AbortController();

/** Ends all waiting: the service seems to be there again. */
export function wake(): void {
  waiting.abort();
  waiting = new AbortController();
}

globalThis.addEventListener?.('online', wake);

/** Repeats work while no answer of the service says that it cannot succeed. `onAway` may end this with an error. */
export async function persevere<T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
  onAway?: (error: RedpenError) => void,
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
    try {
      return await work();
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = unanswered(thrown);
      if ((error.httpStatus ?? error.code) !== undefined && !isRepeatable(error)) throw error;
      onAway?.(error);
      const until = AbortSignal.any(signal ? [signal, waiting.signal] : [waiting.signal]);
      // Jitter, so that not all clients of a service return at the same moment.
      const pauseMs = error.retryAfterMs ?? waitMs * (0.5 + Math.random() / 2);
      await sleep(pauseMs, until).catch(() => signal?.throwIfAborted());
    }
  }
}
