import { expect, test } from 'vitest';
import { LogThrottle } from './log-throttle.ts';

test('lines of one kind are limited per minute, and the first line of the next minute has the number of those left out', () => {
  let now = 0;
  const throttle = new LogThrottle(2, () => now);
  expect(throttle.take('a')).toEqual({});
  expect(throttle.take('a')).toEqual({ next: 'later ones are counted for a minute' });
  expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(throttle.take('b')).toEqual({});
  now = 60_000;
  expect(throttle.take('a')).toEqual({ leftOut: 3 });
  now = 120_000;
  expect(throttle.take('a')).toEqual({});
});
