import { expect, test } from 'vitest';
import { mediaTypeOf } from './knowledge-data.ts';

test('the name decides the type of a file', () => {
  expect(mediaTypeOf({ name: 'Guide.MD', type: '' })).toBe('text/markdown');
  expect(mediaTypeOf({ name: 'prices.csv', type: 'application/vnd.ms-excel' })).toBe('text/csv');
  expect(mediaTypeOf({ name: 'guide', type: 'text/plain' })).toBe('text/plain');
});
