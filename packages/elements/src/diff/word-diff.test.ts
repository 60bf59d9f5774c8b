import { expect, test } from 'vitest';
import { diffWords, type Part } from './word-diff.ts';

const shown = (parts: readonly Part[]): string =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

test('the words that differ are found', async () => {
  expect(shown(await diffWords('Our lamps light teh room.', 'Our lamps light the room.'))).toBe(
    'Our lamps light [-teh-][+the+] room.',
  );
});

test('changes with only a space between them are one change', async () => {
  expect(shown(await diffWords('a red pen lies', 'a blue brush lies'))).toBe(
    'a [-red pen-][+blue brush+] lies',
  );
});

test('words are found in languages without spaces', async () => {
  const parts = await diffWords('私は猫が好きです', '私は犬が好きです');
  expect(shown(parts)).toBe('私は[-猫-][+犬+]が好きです');
});

test('nothing before or after is one part', async () => {
  expect(await diffWords('', 'new')).toEqual([{ kind: 'added', text: 'new' }]);
  expect(await diffWords('old', '')).toEqual([{ kind: 'removed', text: 'old' }]);
  expect(await diffWords('', '')).toEqual([]);
});

test('the parts make up both texts, whatever they are', async () => {
  const pairs = [
    ['one  two\nthree', 'one two\n\nthree four'],
    ['  ', ' x '],
    ['a, b; c', 'c; b, a'],
  ] as const;
  for (const [before, after] of pairs) {
    const parts = await diffWords(before, after);
    const without = (kind: Part['kind']) =>
      parts.filter((part) => part.kind !== kind).map(({ text }) => text);
    expect([without('added').join(''), without('removed').join('')]).toEqual([before, after]);
  }
});
