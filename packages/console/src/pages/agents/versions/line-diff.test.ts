import { expect, test } from 'vitest';
import { diffTexts, foldSame } from './line-diff.ts';

test('numbers the lines of both texts', () => {
  expect(diffTexts('a\nb\nc\n', 'a\nB\nc\n')).toEqual([
    { kind: 'same', text: 'a', before: 1, after: 1 },
    { kind: 'removed', text: 'b', before: 2, after: undefined },
    { kind: 'added', text: 'B', before: undefined, after: 2 },
    { kind: 'same', text: 'c', before: 3, after: 3 },
  ]);
});

test('leaves out equal lines that are far from a change', () => {
  const same = Array.from({ length: 10 }, (_, index) => `line ${index}`);
  const parts = foldSame(diffTexts([...same, 'x', ''].join('\n'), [...same, 'y', ''].join('\n')), 2);
  expect(parts[0]).toEqual({ left: 8 });
  expect(parts[1]).toMatchObject({
    lines: [{ text: 'line 8' }, { text: 'line 9' }, { text: 'x' }, { text: 'y' }],
  });
  expect(foldSame(diffTexts('a\n', 'a\n'))).toEqual([{ left: 1 }]);
});
