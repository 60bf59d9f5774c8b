import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiError, Issue } from '../lib/errors.ts';
import { parseData, readData } from './parse.ts';

const issuesOf = (text: string): Issue[] => {
  try {
    readData(Buffer.from(text), false);
    return [];
  } catch (error) {
    return ((error as ApiError).details as { issues: Issue[] }).issues;
  }
};

test('what no field can hold is named by its path within data', () => {
  expect(
    issuesOf('{"data":{"a":[{"__proto__":1}],"b":"x\\u0000","data":{"c":1e999}},"more":"\\ud800"}'),
  ).toEqual(
    expect.arrayContaining([
      { path: ['a', 0, '__proto__'], code: 'key', message: 'a[0].__proto__ is not an allowed key.' },
      { path: ['b'], code: 'nul', message: 'b must not contain a NUL character.' },
      { path: ['data', 'c'], code: 'number', message: 'data.c is too large a number.' },
      { path: ['more'], code: 'unicode', message: 'more is not well-formed Unicode.' },
    ]),
  );
});

test('nesting is allowed down to 64 levels, counted from the body', () => {
  const nested = (levels: number) => Buffer.from(`{"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`);
  expect(readData(nested(63), false)).toMatchObject({ a: { a: {} } });
  expect(() => readData(nested(64), false)).toThrow('nested deeper than 64 levels');
});

test('of a union the member of the right type tells its problems', () => {
  const ids = z.object({ ids: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2)]) });
  const said = (value: unknown) => {
    try {
      return parseData(ids, { ids: value });
    } catch (error) {
      return (error as ApiError).message;
    }
  };
  expect([[], ['a', 'b', 'c'], [''], ['a', 5], '', 5].map(said)).toEqual([
    'ids must not be empty.',
    'ids must have at most 2 entries.',
    'ids[0] must not be empty.',
    'ids[1] must be a string.',
    'ids must not be empty.',
    'ids must be a string or a list.',
  ]);
});
