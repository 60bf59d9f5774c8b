import { expect, test } from 'vitest';
import { LogThrottle } from './log-throttle.ts';

test('so many lines of a kind are written a minute, and the first of the next says how many were left out', () => {
  let now = 0;
  const bound = new LogThrottle(2, () => now);
  expect(bound.take('a')).toEqual({});
  expect(bound.take('a')).toEqual({ next: 'later ones are counted for a minute' });
  expect([bound.take('a'), bound.take('a'), bound.take('a')]).toEqual([undefined, undefined, undefined]);
  expect(bound.take('b')).toEqual({});
  now = 60_000;
  expect(bound.take('a')).toEqual({ leftOut: 3 });
  now = 120_000;
  expect(bound.take('a')).toEqual({});
});
