import type { Frame, JSHandle } from 'playwright-core';

/** A frame whose own page is busy must not hold up the rest. */
const FRAME_TIMEOUT_MS = 5000;

/** How many frames of a page may still be read, frames within frames included. */
export interface FrameBudget {
  frames: number;
}

export const frameBudget = (excludeIframes: boolean): FrameBudget => ({ frames: excludeIframes ? 0 : 30 });

/**
 * Reads the document in each of the listed frame elements, in their order; `undefined` where there is none,
 * where it does not answer, and where the budget is spent.
 */
export async function readInnerFrames<T>(
  elements: JSHandle<Element[]>,
  budget: FrameBudget,
  read: (frame: Frame) => Promise<T>,
): Promise<(T | undefined)[]> {
  const results: (T | undefined)[] = [];
  for (const property of (await elements.getProperties()).values()) {
    const element = property.asElement();
    if (element === null || budget.frames <= 0) {
      results.push(undefined);
      continue;
    }
    budget.frames -= 1;
    const content = async () => {
      const frame = await element.contentFrame();
      return frame ? await read(frame) : undefined;
    };
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, FRAME_TIMEOUT_MS, undefined);
    });
    // Frames come and go while a page is read; one that is gone has nothing to say.
    results.push(await Promise.race([content().catch(() => undefined), tooLong]));
    clearTimeout(timer);
  }
  return results;
}
