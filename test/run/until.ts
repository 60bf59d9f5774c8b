import { PATIENCE_MS } from './patience.ts';

const PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until a condition holds. The limit only ends a test that hangs; it is so generous that no test fails because of
 * load. The longer it takes, the less often it looks, since looking takes time from what it waits for.
 */
export async function until(
  holds: () => unknown,
  what = 'the condition',
  withinMs = PATIENCE_MS,
): Promise<void> {
  const begin = Date.now();
  while (!(await holds())) {
    const waited = Date.now() - begin;
    if (waited > withinMs) throw new Error(`Timed out after ${withinMs} ms waiting for ${what}.`);
    await new Promise((done) => setTimeout(done, Math.min(PAUSE_MS + waited / 20, LONGEST_PAUSE_MS)));
  }
}
