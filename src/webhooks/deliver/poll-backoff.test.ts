import { expect, test, vi } from 'vitest';
import { Looks } from './poll-backoff.ts';

test('a lane that finds nothing asks less and less, and at once again where there is reason to', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const looks = new Looks();
    const waits = [0, 1, 2, 3, 4].map(() => {
      looks.cameBack(0);
      let waited = 0;
      for (; !looks.isTime(); waited += 50) vi.advanceTimersByTime(50);
      return waited;
    });
    expect(waits).toEqual([250, 500, 1_000, 2_000, 2_000]);
    looks.cameBack(0);
    expect(looks.isTime()).toBe(false);
    looks.freely();
    expect(looks.isTime()).toBe(true);
    looks.cameBack(3);
    expect(looks.isTime()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
