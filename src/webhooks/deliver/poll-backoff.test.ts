import { expect, test, vi } from 'vitest';
import { PollBackoff } from './poll-backoff.ts';

test('a lane whose polls find nothing polls ever less often, and at once after a reset', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const backoff = new PollBackoff();
    const delays = [0, 1, 2, 3, 4].map(() => {
      backoff.polled(0);
      let waited = 0;
      for (; !backoff.isDue(); waited += 50) vi.advanceTimersByTime(50);
      return waited;
    });
    expect(delays).toEqual([250, 500, 1_000, 2_000, 2_000]);
    backoff.polled(0);
    expect(backoff.isDue()).toBe(false);
    backoff.reset();
    expect(backoff.isDue()).toBe(true);
    backoff.polled(3);
    expect(backoff.isDue()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
