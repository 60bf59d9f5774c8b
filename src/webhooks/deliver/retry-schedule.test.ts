import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RETRY_STEPS_MS, retryDelayMs } from './retry-schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [1, 5 * SECOND],
  [2, 5 * MINUTE],
  [3, 30 * MINUTE],
  [4, 2 * HOUR],
  [5, 5 * HOUR],
  [6, 10 * HOUR],
  [7, 10 * HOUR],
])('after failure %i the next attempt is in %i ms, plus or minus a fifth', (failures, step) => {
  expect(retryDelayMs(failures, { status: 500 }, 0)).toBe(step * 0.8);
  expect(retryDelayMs(failures, { status: 500 }, 0.5)).toBe(step);
  expect(retryDelayMs(failures, {}, 1)).toBe(step * 1.2);
});

test('there is no attempt after the eighth failure', () => {
  expect(retryDelayMs(8, { status: 500, retryAfterMs: 1 }, 0.5)).toBeUndefined();
});

test.each([429, 502, 504])(
  'a receiver that answers %i is never retried before the step has passed',
  (status) => {
    expect(retryDelayMs(1, { status }, 0)).toBe(5 * SECOND);
    expect(retryDelayMs(1, { status }, 1)).toBe(6 * SECOND);
  },
);

test.each([
  ['less than the step is ignored', 1 * SECOND, 5 * SECOND],
  ['more than the step is waited for', 8 * SECOND, 8 * SECOND],
  ['more than twice the step is capped', 1 * HOUR, 10 * SECOND],
])('a retry-after of %s', (_what, retryAfterMs, waitMs) => {
  expect(retryDelayMs(1, { status: 503, retryAfterMs }, 0.5)).toBe(waitMs);
});

test('there are eight attempts within their bounds, whatever receivers answer', () => {
  const answer = fc.record({
    status: fc.option(fc.integer({ min: 300, max: 599 }), { nil: undefined }),
    retryAfterMs: fc.option(fc.nat(2 ** 40), { nil: undefined }),
    random: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  });
  fc.assert(
    fc.property(fc.array(answer, { minLength: 8, maxLength: 12 }), (answers) => {
      const waits = answers.map(({ random, ...failure }, index) => retryDelayMs(index + 1, failure, random));
      const last = waits.indexOf(undefined);
      expect(last).toBe(RETRY_STEPS_MS.length);
      for (const [index, step] of RETRY_STEPS_MS.entries()) {
        expect(waits[index]).toBeGreaterThanOrEqual(Math.floor(step * 0.8));
        expect(waits[index]).toBeLessThanOrEqual(Math.ceil(step * 2));
      }
    }),
  );
});
