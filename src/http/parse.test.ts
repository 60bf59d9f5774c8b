import { expect, test } from 'vitest';
import type { ApiError, Issue } from '../lib/errors.ts';
import { readData } from './parse.ts';

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
