import { PATIENCE_MS } from './patience.ts';

/**
 * Waits until a condition holds. The limit only ends a test that hangs; it is so generous that no test fails because of
 * load.
 */
export async function until(
  holds: () => unknown,
  what = 'the condition',
  withinMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Timed out after ${withinMs} ms waiting for ${what}.`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
