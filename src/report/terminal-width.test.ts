import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutToWidth, padToWidth, widthOf, wrapToWidth } from './terminal-width.ts';

test('wide and combined characters count as terminals print them', () => {
  expect(['abc', '日本', '한', 'e\u0301', '👩‍👩‍👧', '…', 'ｆ'].map(widthOf)).toEqual([3, 4, 2, 1, 2, 1, 2]);
});

test('a text is cut between characters', () => {
  expect(cutToWidth('short', 5)).toBe('short');
  expect(cutToWidth('longer', 5)).toBe('long…');
  expect(cutToWidth('日本語の', 5)).toBe('日本…');
  expect(padToWidth('日本', 6)).toBe('日本  ');
});

test('lines break between words, and within words that are too long', () => {
  expect(wrapToWidth('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapToWidth('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  expect(wrapToWidth('one two three four', 7, 2)).toEqual(['one two', 'three…']);
});

test('no line is wider than its columns, and nothing is lost', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '👍', 'é'), maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, columns) => {
      const lines = wrapToWidth(text, columns);
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      expect(widthOf(cutToWidth(text, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});
