import { expect, test } from 'vitest';
import { findsOf, needsOf } from './builtin-words.ts';

test('says what an agent needs, and whether it is there', () => {
  const texts = (needsModel: 'none' | 'optional' | 'required', hasModel: boolean | undefined) =>
    needsOf({ needsBrowser: true, needsModel }, hasModel).map(({ text }) => text);
  expect(texts('none', false)).toEqual(['Needs no model']);
  expect(texts('optional', false)).toEqual(['By rule; more with a model']);
  expect(texts('required', false)).toEqual(['Needs a model (none set up)']);
  expect(texts('required', undefined)).toEqual(['Uses a model']);
  expect(needsOf({ needsBrowser: false, needsModel: 'none' }, true)).toHaveLength(2);
});

test('names the first kinds of findings', () => {
  expect(findsOf(['broken-link'], false)).toBe('Kinds of findings: broken link');
  expect(findsOf(['a', 'b', 'c', 'd', 'e', 'f', 'page-injection'], false)).toBe(
    '6 kinds of findings, such as a, b, c, d',
  );
  expect(findsOf(['page-injection'], true)).toBe('Kinds of findings: named by the model');
});
