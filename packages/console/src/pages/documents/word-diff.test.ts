import { expect, test } from 'vitest';
import { type DiffPart, wordDiff } from './word-diff.ts';

const shown = (parts: DiffPart[]) =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

test('changed words are marked, and the rest is kept', () => {
  expect(shown(wordDiff('We build kayaks by hand.', 'We build sea kayaks by hand!'))).toBe(
    'We build [+sea +]kayaks by hand[-.-][+!+]',
  );
});

test('a changed phrase is one change', () => {
  expect(shown(wordDiff('in a small loft near it', 'in a large house beside it'))).toBe(
    'in a [-small loft near-][+large house beside+] it',
  );
});

test('either text may be empty or the same', () => {
  expect(shown(wordDiff('', 'new'))).toBe('[+new+]');
  expect(shown(wordDiff('old', ''))).toBe('[-old-]');
  expect(shown(wordDiff('same text', 'same text'))).toBe('same text');
  expect(wordDiff('', '')).toEqual([]);
});

test('both texts can be read from the parts', () => {
  const [before, after] = ['一 二 三, four  five\nsix', '一 三, four\nfive seven'];
  const parts = wordDiff(before, after);
  const textOf = (left: DiffPart['kind']) =>
    parts
      .filter(({ kind }) => kind !== left)
      .map(({ text }) => text)
      .join('');
  expect([textOf('added'), textOf('removed')]).toEqual([before, after]);
});

test('long texts are replaced as a whole', () => {
  const long = 'word '.repeat(3_000);
  expect(wordDiff(long, `${long}!`).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
