import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Doc } from 'yjs';
import { rounds } from '../../../test/run/rounds.ts';
import { alignToBoundaries, type TextChange } from './align-to-boundaries.ts';
import { newDiffBudget } from './compare-lists.ts';
import { randomText } from './fixtures/random-content.ts';
import { diffText } from './text-diff.ts';

const budget = () => newDiffBudget(new Doc());

function apply(before: string, changes: TextChange[]): string {
  let [after, at] = ['', 0];
  for (const change of changes) {
    expect(change.at).toBeGreaterThanOrEqual(at);
    after += before.slice(at, change.at) + change.add;
    at = change.at + change.drop;
  }
  return after + before.slice(at);
}

const diff = (before: string, after: string) => diffText(before, after, budget());

test('changes turn the old text into the new one within any budget, and cut no character', () => {
  const efforts = fc.constantFrom(
    { left: 600_000_000, places: 20_000 },
    { left: 3_000, places: 20_000 },
    { left: 600_000_000, places: 2 },
    { left: 0, places: 2 },
  );
  fc.assert(
    fc.property(
      fc.array(randomText, { maxLength: 4 }),
      fc.array(randomText, { maxLength: 4 }),
      efforts,
      (a, b, left) => {
        const [before, after] = [a.join(''), b.join('')];
        const changes = diffText(before, after, { ...left });
        expect(apply(before, changes)).toBe(after);
        expect(changes.length).toBeLessThanOrEqual(Math.max(left.places, 1));
        for (const { at, drop, add } of changes) {
          expect([before.slice(at, at + drop), add].every((part) => part.isWellFormed())).toBe(true);
        }
      },
    ),
    { numRuns: rounds(125, 500, 'FUZZ_RUNS') },
  );
});

test('only differences are changed, but tiny equal parts between them are replaced as well', () => {
  expect(diff('one two three', 'one 2 three')).toEqual([{ at: 4, drop: 3, add: '2' }]);
  expect(diff('color and flavor', 'colour and flavour')).toEqual([
    { at: 4, drop: 0, add: 'u' },
    { at: 15, drop: 0, add: 'u' },
  ]);
  expect(diff('cat on mat', 'dog on mat')).toEqual([{ at: 0, drop: 3, add: 'dog' }]);
  expect(diff('xaby', '1ab2')).toEqual([{ at: 0, drop: 4, add: '1ab2' }]);
  expect(diff('same', 'same')).toEqual([]);
});

test('whole lines and words are inserted and deleted', () => {
  expect(diff('- one\n- two\n- three\n', '- one\n- three\n')).toEqual([{ at: 6, drop: 6, add: '' }]);
  expect(diff('- one\n- two\n', '- one\n- three\n- two\n')).toEqual([{ at: 6, drop: 0, add: '- three\n' }]);
  expect(diff('the cat the hat', 'the cat the cat the hat')).toEqual([{ at: 0, drop: 0, add: 'the cat ' }]);
  expect(diff('a\n\n\n\nb', 'a\n\nb')).toEqual([{ at: 3, drop: 2, add: '' }]);
});

test('a sentence that is written anew is replaced by words and not by letters', () => {
  const before = 'The first sentence of a page that somebody writes, of about as many words as usual.';
  const after = 'It is replaced by another sentence, which somebody else has written.';
  const changes = diff(before, after);
  expect(apply(before, changes)).toBe(after);
  // By letters there would be six.
  expect(changes.length).toBeLessThanOrEqual(3);
});

test('aligning a change does not move it across another, and cuts no character', () => {
  const changes = [
    { at: 1, drop: 1, add: 'x' },
    { at: 3, drop: 1, add: '' },
  ];
  expect(alignToBoundaries(changes, '\naaaa')).toEqual(changes);
  expect(alignToBoundaries(changes.slice(1), '\naaaa')).toEqual([{ at: 1, drop: 1, add: '' }]);
  // A lone surrogate stands for an embedded object.
  const whole = [{ at: 2, drop: 4, add: '' }];
  expect(alignToBoundaries(whole, ' \ude00ab😀')).toEqual(whole);
});

test('in long texts with many differences, equal parts are found by words and lines', () => {
  const line = (at: number) => `Line ${at} with some more words ${at * 7}\n`;
  const lines = Array.from({ length: 12_000 }, (_, at) => line(at));
  const edited = lines.map((text, at) => (at % 4 === 0 ? text.replace('some', 'many').toUpperCase() : text));
  const changes = diff(lines.join(''), edited.join(''));
  expect(apply(lines.join(''), changes)).toBe(edited.join(''));
  const changed = changes.reduce((sum, change) => sum + change.drop, 0);
  expect(changed / lines.join('').length).toBeLessThan(0.3);
});

test('a comparison of any texts stays within its budget', () => {
  const texts = ['a', 'ab', 'a b ', 'a\n', 'a\nb\n', `${'a'.repeat(500)}b`, 'abb'].map((part) =>
    part.repeat(Math.ceil(200_000 / part.length)),
  );
  for (const before of texts) {
    for (const after of texts) {
      const left = budget();
      expect(apply(before, diffText(`x${before}y`, `z${after}`, left)) !== '').toBe(true);
      expect(left.left).toBeGreaterThan(-10_000_000);
    }
  }
});
