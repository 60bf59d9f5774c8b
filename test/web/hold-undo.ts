import type { BrowserContext, Page } from 'playwright-core';
import { UNDO_MS } from '../../packages/elements/src/findings/undo-time.ts';

/**
 * Gives the pages of a context as long as a test needs to undo something, however busy the machine is. What waits is sent
 * when the page is left, or by `endUndo`. It holds timers of the very length of the time for undoing, so that pages need no
 * setting for it.
 */
export async function holdUndo(context: BrowserContext): Promise<void> {
  await context.addInitScript((held) => {
    const wait = globalThis.setTimeout.bind(globalThis) as (...given: unknown[]) => number;
    const clear = globalThis.clearTimeout.bind(globalThis);
    const waiting = new Map<number, () => void>();
    const holding = (run: () => void, ms?: unknown, ...given: unknown[]): number => {
      if (ms !== held) return wait(run, ms, ...given);
      const id = wait(() => undefined, 2 ** 31 - 1);
      waiting.set(id, run);
      return id;
    };
    const clearing = (id?: number): void => {
      waiting.delete(id ?? 0);
      clear(id);
    };
    const endUndo = (): void => {
      const runs = [...waiting.values()];
      waiting.clear();
      for (const run of runs) run();
    };
    Object.assign(globalThis, { setTimeout: holding, clearTimeout: clearing, endUndo });
  }, UNDO_MS);
}

/** Ends the time for undoing on a page, as its timers would. */
export async function endUndo(page: Page): Promise<void> {
  await page.evaluate('endUndo()');
}
