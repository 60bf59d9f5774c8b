import { expect, test } from 'vitest';
import { formatJson, formatTable, valueAt } from '../examples/shell-format.ts';

const answer = {
  result: {
    data: {
      pages: [
        { url: '/', findings: [{ title: 'a' }, { title: 'b', lines: [1, 2] }] },
        { url: '/x', findings: [] },
      ],
      'odd-name': null,
    },
  },
};

test.each([
  ['.result.data.pages[0].url', '/'],
  ['.result.data.pages[].url', ['/', '/x']],
  ['.result.data.pages[].findings[].title', ['a', 'b']],
  ['.result.data.pages[].findings[].lines', [[1, 2]]],
  ['.result.data.pages[1].findings[]', []],
  ['.result.data.pages.length', 2],
  ['.result.data.odd-name', null],
  ['.result.data.odd-name.more', undefined],
  ['.result.data.pages[].nothing', undefined],
  ['.result.data.pages[7]', undefined],
  ['.result.data[]', undefined],
  ['result', undefined],
  ['', answer],
])('%s leads to its value', (path, value) => {
  expect(valueAt(answer, path)).toEqual(value);
});

test('JSON that fits on one line stays on it, and parses back to the same value', () => {
  expect(formatJson({ a: [1, { b: null }], c: undefined, d: {} })).toBe(
    '{ "a": [1, { "b": null }], "d": {} }',
  );
  const long = { list: Array.from({ length: 30 }, (_, index) => ({ index, text: 'word' })) };
  const text = formatJson(long);
  expect(JSON.parse(text)).toEqual(long);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('a table shows fields in columns, with long ones cut off and missing ones as a dash', () => {
  const rows = [{ a: 'x', b: { c: 1 } }, { a: 'longer' }, { a: 'two\nlines', b: { c: 'y'.repeat(80) } }];
  expect(formatTable(['a', 'b.c'], rows)).toBe(`x          1\nlonger     –\ntwo lines  ${'y'.repeat(59)}…`);
});
