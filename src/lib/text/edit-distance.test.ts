import { expect, test } from 'vitest';
import { editDistance, nearestTo } from './edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['DATABSE_URL', 'DATABASE_URL', 1],
  ['DATABASE_ULR', 'DATABASE_URL', 1],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['same', 'same', 0],
])('the distance from %s to %s is %i', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
  expect(editDistance(to, from)).toBe(distance);
});

test('the nearest text within the allowed distance is found', () => {
  const texts = ['PLAN', 'PLANE', 'ROLES'];
  expect(nearestTo('PLANS', texts, () => 2)).toEqual({ text: 'PLAN', distance: 1 });
  expect(nearestTo('PORT', texts, () => 2)).toBeUndefined();
});
