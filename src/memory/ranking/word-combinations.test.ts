import { expect, test } from 'vitest';
import { combinationQuery } from './word-combinations.ts';

test('the word combinations with the highest bonus are searched, as long as they match few judgments', () => {
  const words = ['red', 'blue', "it's"].map((word, bit) => ({ word, bit }));
  const weights = [4, 2, 1];
  const bonusOf = (matched: number) =>
    weights.reduce((sum, weight, bit) => sum + (matched & (2 ** bit) ? weight : 0), 0);
  // One sample has all three words, one the first two, two only the first, and many the other two.
  const sample = [7, 3, 1, 1, 1, ...Array(50).fill(6)];
  expect(combinationQuery(words, bonusOf, sample, 1)).toBe("'red'&('blue'&('it''s'))");
  expect(combinationQuery(words, bonusOf, sample, 2)).toBe("'red'&('blue'|'it''s')");
  expect(combinationQuery(words, bonusOf, sample, 5)).toBe("'red'");
  expect(combinationQuery(words, bonusOf, sample, 0)).toBeUndefined();
});
