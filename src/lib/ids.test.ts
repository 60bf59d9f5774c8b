import { expect, test } from 'vitest';
import { decimalId, newExecutionId, randomId } from './ids.ts';

test('a random id has the length asked for, and all its signs are of the alphabet', () => {
  const ids = Array.from({ length: 2_000 }, () => randomId(20));
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{20}$/);
  expect(new Set(ids).size).toBe(ids.length);
  // Whoever reads one aloud need not tell these apart.
  expect(ids.join('')).not.toMatch(/[IOUilou]/);
});

test('an execution id tells when it began, a decimal id has sixteen digits and is the same for the same input', () => {
  expect(newExecutionId(17)).toMatch(/^exec_17_[0-9A-Za-z]{12}$/);
  expect(decimalId('a', 'b')).toMatch(/^[1-9]\d{15}$/);
  expect([decimalId('a', 'b'), decimalId('ab')]).toEqual([
    decimalId('a', 'b'),
    expect.not.stringMatching(decimalId('a', 'b')),
  ]);
});
