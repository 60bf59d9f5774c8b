import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { loadLazyContent } from './load-lazy-content.ts';

/** A page whose frames only come while its clock runs, as on a busy machine. */
function pageWithoutFrames() {
  const onBudgetSpent = new Set<() => void>();
  const frames: (() => void)[] = [];
  const frame = <T>(value: T) => new Promise<T>((resolve) => frames.push(() => resolve(value)));
  const answers: Record<string, () => unknown> = {
    couldChange: () => true,
    scrollOn: () => frame(-1),
    heightBelow: () => -1,
    scrollToTop: () => frame(undefined),
    countLoading: () => 0,
  };
  const session = {
    once: (_event: string, listener: () => void) => onBudgetSpent.add(listener),
    async send(method: string) {
      if (method === 'Runtime.evaluate') return { result: {} };
      for (const show of frames.splice(0)) show();
      for (const listener of onBudgetSpent) queueMicrotask(listener);
      onBudgetSpent.clear();
      return {};
    },
  };
  const page = {
    context: () => ({ newCDPSession: async () => session }),
    frames: () => [{}],
    workers: () => [],
    evaluate: async (script: () => unknown) => answers[script.name]!(),
  };
  return { page: page as unknown as Page, frame };
}

test('scrolling and work on a page go on if frames only come while the clock runs', async () => {
  const { page, frame } = pageWithoutFrames();
  const awaitFrames = await loadLazyContent(page, 4_000, true);
  expect(await awaitFrames(frame('picture'))).toBe('picture');
});
