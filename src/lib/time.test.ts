import { expect, test } from 'vitest';
import { pause, untilAborted, within } from './time.ts';

const never = () => new Promise<string>(() => {});

test('a pause ends early if its signal fires, or has fired before', async () => {
  const stop = new AbortController();
  const paused = pause(3_600_000, stop.signal);
  stop.abort();
  await paused;
  await pause(3_600_000, stop.signal);
  await pause(1);
});

test('work that is late gives the fallback value, and work in time its own outcome', async () => {
  expect(await within(1, never(), 'late')).toBe('late');
  expect(await within(3_600_000, Promise.resolve('done'), 'late')).toBe('done');
  await expect(within(3_600_000, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
});

test('work rejects with the reason of its signal', async () => {
  const stop = new AbortController();
  const working = untilAborted(never(), stop.signal);
  stop.abort(new Error('stopping'));
  await expect(working).rejects.toThrow('stopping');
  await expect(untilAborted(never(), stop.signal)).rejects.toThrow('stopping');
  expect(await untilAborted(Promise.resolve('done'), new AbortController().signal)).toBe('done');
  expect(await untilAborted(Promise.resolve('done'), undefined)).toBe('done');
});
