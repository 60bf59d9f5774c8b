import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, JSHandle } from 'playwright-core';

/** Limit per frame, so that a busy frame does not delay the rest. */
const FRAME_TIMEOUT_MS = 5000;

/** Number of frames of a page that may still be read, inner frames of frames included. */
export interface FrameBudget {
  frames: number;
}

export const frameBudget = (excludeIframes: boolean): FrameBudget => ({ frames: excludeIframes ? 0 : 30 });

/** Result of work on a frame; undefined if the frame is gone, does not answer in time, or the work fails. */
export async function inFrameTime<T>(work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const timeout = sleep(FRAME_TIMEOUT_MS, undefined, { signal: done.signal }).catch(() => undefined);
  try {
    return await Promise.race([work.catch(() => undefined), timeout]);
  } finally {
    done.abort();
  }
}

/**
 * Reads the document of each frame element, in their order; undefined if there is none, if it does not answer, or if
 * the budget is spent.
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
    results.push(await inFrameTime(content()));
  }
  return results;
}
