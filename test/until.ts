/**
 * Waits until a condition holds. The limit is the end of what hangs: no busy machine comes near it, so that a test never
 * fails because of load.
 */
export async function until(
  holds: () => unknown,
  what = 'what was waited for',
  withinMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`In ${withinMs} ms there was not ${what}.`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
