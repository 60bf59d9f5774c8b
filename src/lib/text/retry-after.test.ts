import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const SECOND = 1_000;

test.each([
  ['7', 7 * SECOND],
  [' 120 ', 120 * SECOND],
  ['0', 0],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30 * SECOND],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['9999999999', undefined],
  ['', undefined],
  [undefined, undefined],
])('retry-after %j is read as %j', (value, waitMs) => {
  expect(parseRetryAfter(value, Date.parse('2026-11-21T10:00:00Z'))).toBe(waitMs);
});
