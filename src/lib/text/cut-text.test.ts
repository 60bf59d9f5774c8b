import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, shorten, storable } from './cut-text.ts';

test('a text is cut between characters, not within one', () => {
  expect(cutText('abcdef', 3)).toBe('abc');
  expect(cutText('ab🙂', 3)).toBe('ab');
  expect(cutText('ab🙂', 4)).toBe('ab🙂');
  expect(cutText('ab🙂c', 4)).toBe('ab🙂');
  expect(shorten('ab🙂c', 5)).toBe('ab🙂c');
  expect(shorten('ab🙂cd', 5)).toBe('ab🙂…');
  expect(shorten('ab🙂cd', 4)).toBe('ab…');
});

test('a cut text is well-formed, a prefix of the text, and at most one unit shorter than the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, length) => {
      const cut = cutText(text, length);
      expect(cut.isWellFormed()).toBe(true);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(length);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
    }),
  );
});

test('characters that the database refuses are replaced in keys and values, and everything else is unchanged', () => {
  const half = '🙂'[0]!;
  expect(storable({ a: [`x${half}y`, 'n\0'], [`k${half}`]: 1 })).toEqual({
    a: ['x\ufffdy', 'n\ufffd'],
    'k\ufffd': 1,
  });
  const valid = { a: '\\u0000 🙂 \\ud83d \\', b: ['\n\t"'], c: null, d: 1.5 };
  expect(storable({ fine: valid, bad: '\0' })).toEqual({ fine: valid, bad: '\ufffd' });
  expect(storable(valid)).toEqual(valid);
  const plain = { a: 'b' };
  expect(storable(plain)).toBe(plain);
  expect(storable(undefined)).toBeUndefined();
});
