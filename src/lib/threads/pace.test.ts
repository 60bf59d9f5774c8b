import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace, type Pace } from './pace.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Length of a pause in milliseconds, during which `meanwhile` runs after 10 ms. */
async function pauseOf(pace: Pace, meanwhile = () => {}, signal?: AbortSignal): Promise<number> {
  const from = Date.now();
  let length = -1;
  const ended = pace.pause(signal).then(() => {
    length = Date.now() - from;
  });
  await vi.advanceTimersByTimeAsync(10);
  meanwhile();
  for (let passed = 0; length < 0 && passed < 10_000; passed += 10) await vi.advanceTimersByTimeAsync(10);
  await ended;
  return length;
}

test('pauses double up to the longest one, and begin anew after something was found', async () => {
  const pace = createPace({ minMs: 100, maxMs: 350 });
  const lengths = [await pauseOf(pace), await pauseOf(pace), await pauseOf(pace), await pauseOf(pace)];
  expect(lengths).toEqual([100, 200, 350, 350]);
  pace.found();
  expect([await pauseOf(pace), await pauseOf(pace)]).toEqual([100, 200]);
});

test('a wake-up ends the present pause once it has lasted long enough, and the pauses begin anew', async () => {
  const pace = createPace({ minMs: 100, maxMs: 400 });
  await pauseOf(pace);
  await pauseOf(pace);
  expect(await pauseOf(pace, () => pace.wake(50))).toBe(50);
  expect(await pauseOf(pace)).toBe(100);
  await pauseOf(pace);
  expect(await pauseOf(pace, () => pace.wake())).toBe(10);
  expect(await pauseOf(pace)).toBe(100);
});

test('a wake-up before a pause shortens it, and never lengthens one', async () => {
  const pace = createPace({ minMs: 100, maxMs: 400 });
  await pauseOf(pace);
  pace.wake(20);
  expect(await pauseOf(pace)).toBe(20);
  pace.wake(300);
  expect(await pauseOf(pace)).toBe(100);
});

test('a signal ends the pause', async () => {
  const pace = createPace({ minMs: 1_000, maxMs: 1_000 });
  const stopping = new AbortController();
  expect(await pauseOf(pace, () => stopping.abort(), stopping.signal)).toBe(10);
  expect(await pauseOf(pace, () => {}, stopping.signal)).toBe(0);
});
