import { expect, test } from 'vitest';
import { causesOf } from './errors.ts';

test('lists an error and its causes, outermost first', () => {
  const inner = new Error('inner');
  const outer = new Error('outer', { cause: inner });
  expect(causesOf(outer)).toEqual([outer, inner]);
});

test('ends at a cause that is not an error, and in a cycle', () => {
  expect(causesOf('text')).toEqual([]);
  expect(causesOf(new Error('outer', { cause: 'text' }))).toHaveLength(1);
  const cycle = new Error('cycle');
  cycle.cause = cycle;
  expect(causesOf(cycle)).toHaveLength(8);
});
