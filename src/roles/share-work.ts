import type { Bus } from '../lib/bus/bus.ts';
import { detached } from '../lib/tracing/tracing.ts';

const CHANNEL = 'work';
/** A busy process announces its writes together. */
const COLLECT_MS = 100;

/**
 * Announces writes of this process to the workers: to its own, or over the bus if it has none. A worker that misses an
 * announcement finds the work with its next poll.
 */
export function shareWork(bus: Bus, wakeOwn: (() => void) | undefined): { written(): void; stop(): void } {
  if (wakeOwn) {
    const listening = bus.subscribe(CHANNEL, wakeOwn);
    listening.catch(() => {});
    const written = () => detached(wakeOwn);
    return { written, stop: () => void listening.then((end) => end()).catch(() => {}) };
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    written() {
      timer ??= detached(() =>
        setTimeout(() => {
          timer = undefined;
          bus.publish(CHANNEL, new Uint8Array([1])).catch(() => {});
        }, COLLECT_MS),
      );
      timer.unref();
    },
    stop: () => clearTimeout(timer),
  };
}
