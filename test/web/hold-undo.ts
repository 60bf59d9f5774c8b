import type { BrowserContext } from 'playwright-core';
import { UNDO_MS } from '../../packages/elements/src/findings/undo-time.ts';

/**
 * Gives the pages of a context as long as a test needs to undo something, however busy the machine is. What waits is sent
 * when the page is left. It holds timers of the very length of the time for undoing, so that pages need no setting for it.
 */
export async function holdUndo(context: BrowserContext): Promise<void> {
  await context.addInitScript((held) => {
    const wait = globalThis.setTimeout.bind(globalThis) as (...given: unknown[]) => number;
    const holding = (run: unknown, ms?: unknown, ...given: unknown[]): number =>
      wait(run, ms === held ? 2 ** 31 - 1 : ms, ...given);
    Object.assign(globalThis, { setTimeout: holding });
  }, UNDO_MS);
}
