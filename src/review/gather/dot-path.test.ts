import { expect, test } from 'vitest';
import { pathSteps, selectPath } from './dot-path.ts';

const answer = { data: { items: [{ name: 'first', 'x.y': 1 }, { name: 'second' }], total: 0, none: null } };

test.each([
  ['data.items[1].name', 'second'],
  ['data.items.1.name', 'second'],
  ['$.data.total', 0],
  ['$["data"].items[0]["x.y"]', 1],
  ['data.none', null],
])('%s selects its part of the value', (path, expected) => {
  expect(selectPath(answer, path)).toBe(expected);
});

test('an empty path selects the whole value', () => {
  expect(selectPath(answer, '')).toBe(answer);
  expect(selectPath(answer, '$')).toBe(answer);
});

test.each(['data.items[9].name', 'data.total.x', 'data.none.x', 'data.items.length', 'nope'])(
  '%s selects nothing',
  (path) => {
    expect(selectPath(answer, path)).toBeUndefined();
  },
);

test.each(['constructor.name', '__proto__', 'data.toString', 'data.items.map', 'data["hasOwnProperty"]'])(
  '%s does not reach inherited properties',
  (path) => {
    expect(selectPath(answer, path)).toBeUndefined();
  },
);

test.each(['a..b', 'a[', 'a[x]', 'a]', '.a.', 'a["b'])('%s is an invalid path', (path) => {
  expect(pathSteps(path)).toBeUndefined();
});
