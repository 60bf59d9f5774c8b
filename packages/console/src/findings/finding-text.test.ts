import { expect, test } from 'vitest';
import { wordsAround } from './finding-text.ts';

const around = (before: string, target: string, after: string, longest = 60): string => {
  const [start, end] = wordsAround(target, { before, after }, longest);
  return `${start}[${target}]${end}`;
};

test('words around a quote are apart from it, except where a sentence has no space', () => {
  expect(around('You will', 'recieve', 'a boat')).toBe('You will [recieve] a boat');
  expect(around('You ', 'recieve', ' a boat')).toBe('You [recieve] a boat');
  expect(around('the “', 'Heron', '”, which')).toBe('the “[Heron]”, which');
  expect(around('', 'Heron', '.')).toBe('[Heron].');
  expect(around('/', 'about', '')).toBe('/[about]');
});

test('long surroundings are cut between words', () => {
  expect(around('as long as the loft stands', 'recieve', 'a boat on loan while yours is mended', 12)).toBe(
    '…loft stands [recieve] a boat on…',
  );
});
