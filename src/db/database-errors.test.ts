import { expect, test } from 'vitest';
import { isUnavailable } from './database-errors.ts';

test('several failures are those of an unavailable database if each of them is', () => {
  const starting = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
  const fault = new TypeError('x is not a function');
  expect(isUnavailable(new AggregateError([starting, starting], 'Two failed.'))).toBe(true);
  expect(isUnavailable(new AggregateError([starting, fault], 'Two failed.'))).toBe(false);
});
