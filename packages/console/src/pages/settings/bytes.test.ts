import { expect, it } from 'vitest';
import { describeBytes, describeShare } from './bytes.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_240_000, '1.2 MB'],
  [52_000_000_000, '52 GB'],
])('describes %d', (bytes, words) => {
  expect(describeBytes(bytes)).toBe(words);
});

it('describes the share of a limit', () => {
  expect(describeShare(5_000, null)).toBe('No limit');
  expect(describeShare(5_000, 20_000)).toBe('25% of 20 kB');
});
