import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiError, Issue } from '../../lib/errors.ts';
import { parseData, readData } from './parse.ts';

const read = (text: string) => readData(Buffer.from(text)).then(({ data }) => data);
const refusalOf = (text: string): Promise<ApiError> =>
  read(text).then(
    () => expect.unreachable(),
    (error: ApiError) => error,
  );
const issuesOf = async (text: string): Promise<Issue[]> =>
  ((await refusalOf(text)).details as { issues: Issue[] }).issues;

test('values that no field can store are reported by their path within data', async () => {
  expect(
    await issuesOf('{"data":{"a":[{"__proto__":1}],"b":"x\\u0000","data":{"c":1e999}},"more":"\\ud800"}'),
  ).toEqual(
    expect.arrayContaining([
      { path: ['a', 0, '__proto__'], code: 'key', message: 'a[0].__proto__ is not an allowed key.' },
      { path: ['b'], code: 'nul', message: 'b must not contain a NUL character.' },
      { path: ['data', 'c'], code: 'number', message: 'data.c is too large a number.' },
      { path: ['more'], code: 'unicode', message: 'more is not well-formed Unicode.' },
    ]),
  );
});

const readLeavingContent = (text: string) =>
  readData(Buffer.from(text), { leavesContent: true }).then(({ data }) => data);
const long = 'é'.repeat(200_000);

test.each([
  ['""', '', JSON.stringify(`${long}"}],`)],
  ['{}', {}, JSON.stringify({ data: { data: long }, list: [{ data: 1 }] })],
  ['[]', [], JSON.stringify([long, { data: ['}', { data: {} }] }])],
])('large content is not parsed if it may be left, and is replaced by %s', async (_, empty, content) => {
  const body = (text: string) => `{"more":{"data":1},"data":{"a":{"data":[2]},"data" :\n ${text} ,"b":"x"}}`;
  expect(await readLeavingContent(body(content))).toEqual({ a: { data: [2] }, data: empty, b: 'x' });
  const last = await readLeavingContent(`{"data":{"b":"x","data":${content}}}`);
  expect(last).toEqual({ b: 'x', data: empty });
  expect(await read(body('"small"'))).toMatchObject({ data: 'small' });
});

test('limits and checks apply to the rest of a body with large content', async () => {
  const refusal = (text: string) =>
    readLeavingContent(text).then(
      () => expect.unreachable(),
      (error: ApiError) => error.message,
    );
  const pad = JSON.stringify(long);
  const many = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
  expect(
    await readLeavingContent(`{"data":{"data":{"constructor":[${pad},"\\u0000"],${many(190_000)}}}}`),
  ).toEqual({
    data: {},
  });
  expect(await refusal(`{"data":{"data":{"a":${pad}},"b":"\\u0000"}}`)).toBe(
    'b must not contain a NUL character.',
  );
  expect(await refusal(`{"data":{"data":{"a":${pad}},"b":{${many(10_001)}}}}`)).toBe(
    'An object of the request body has more than 10000 keys.',
  );
  expect(await refusal(`{"data":{"b":{"a":${pad},${many(10_000)}}}}`)).toBe(
    'An object of the request body has more than 10000 keys.',
  );
  expect(await refusal(`{"data":{"data":{"a":${pad},"a":1}}}`)).toBe(
    'The key "a" stands twice in an object.',
  );
  expect(await refusal(`{"data":{"data":${pad}]}}`)).toBe('The request body is not valid JSON.');
  expect(await readLeavingContent(`{"data":{"data":7,"b":${pad}}}`)).toEqual({ data: 7, b: long });
});

test('nesting is allowed up to 64 levels, counted from the body', async () => {
  const nested = (levels: number) => `{"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  expect(await read(nested(63))).toMatchObject({ a: { a: {} } });
  expect((await refusalOf(nested(64))).message).toContain('nested deeper than 64 levels');
  expect((await refusalOf('['.repeat(1_000_000))).message).toContain('nested deeper than 64 levels');
});

test('a duplicate key in an object is refused, in any encoding', async () => {
  expect(await issuesOf('{"data":{"a":1,"list":[{"b":1},{"b":1,"\\u0062":2}],"a":{"a":1}}}')).toEqual([
    { path: ['list', 1, 'b'], code: 'duplicate_key', message: 'The key "b" stands twice in an object.' },
    { path: ['a'], code: 'duplicate_key', message: 'The key "a" stands twice in an object.' },
  ]);
  expect(await issuesOf('{"data":{},"data":{"größe":1,"größe":2}}')).toMatchObject([
    { path: [] },
    { path: ['größe'], message: 'The key "größe" stands twice in an object.' },
  ]);
  const strings = {
    a: '"a":1,"a":2',
    'b"': '{"b\\',
    c: ['"', { a: 1 }, { a: 1 }],
    d: { a: { a: 1 } },
    '': {},
  };
  expect(await read(JSON.stringify({ data: strings }))).toEqual(strings);
});

test('too many keys and values are refused before parsing', async () => {
  const keys = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => `"k${from + index}":1`).join(',');
  expect(Object.keys((await read(`{"data":{${keys(10_000)}}}`)) as object)).toHaveLength(10_000);
  expect((await refusalOf(`{"data":{${keys(10_001)}}}`)).message).toBe(
    'An object of the request body has more than 10000 keys.',
  );
  const objects = `{"data":{"a":[${Array(6)
    .fill(`{${keys(9_000)}}`)
    .join(',')}]}}`;
  expect((await refusalOf(objects)).message).toBe('The request body contains more than 50000 keys.');
  const list = `{"data":{"a":[${'0,'.repeat(100_001)}0]}}`;
  expect((await refusalOf(list)).message).toBe('The request body contains more than 100000 values.');
  const content = `{"data":{"data":[${'0,'.repeat(100_001)}0]}}`;
  expect(await readLeavingContent(content)).toMatchObject({ data: { length: 100_002 } });
});

test('any JSON is read as JSON.parse reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), fc.nat(3), async (value, indent) => {
      const text = JSON.stringify({ data: { value } }, undefined, indent);
      const isAllowed = !/"(__proto__|constructor|prototype)"/.test(text);
      fc.pre(isAllowed);
      expect(await read(text)).toEqual({ value: JSON.parse(JSON.stringify(value)) as unknown });
    }),
  );
});

test('for a union, the problems of the member of the right type are reported', () => {
  const ids = z.object({ ids: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2)]) });
  const messageOf = (value: unknown) => {
    try {
      return parseData(ids, { ids: value });
    } catch (error) {
      return (error as ApiError).message;
    }
  };
  expect([[], ['a', 'b', 'c'], [''], ['a', 5], '', 5].map(messageOf)).toEqual([
    'ids must not be empty.',
    'ids must have at most 2 entries.',
    'ids[0] must not be empty.',
    'ids[1] must be a string.',
    'ids must not be empty.',
    'ids must be a string or a list.',
  ]);
});
