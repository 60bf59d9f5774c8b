import { expect, test } from 'vitest';
import { checkData } from './write-content.ts';

test.each([
  ['xml', '<p/>'.repeat(40_001), 'Data of type xml can have at most 40000 tags.'],
  ['array', Array.from({ length: 200_001 }, () => 1), 'Data of type array can have at most 200000 values.'],
  [
    'map',
    { a: Array.from({ length: 1_000 }, () => Array.from({ length: 200 }, () => [])) },
    'Data of type map can have at most 200000 values.',
  ],
] as const)('content of type %s over its size limit is refused', (type, data, message) => {
  expect(() => checkData(type, data)).toThrow(message);
});

test.each([
  ['xml', '<p/>'.repeat(40_000)],
  ['array', Array.from({ length: 200_000 }, () => 1)],
  ['text', '<'.repeat(500_000)],
] as const)('content of type %s at its size limit is accepted', (type, data) => {
  expect(() => checkData(type, data)).not.toThrow();
});
