import { expect, test } from 'vitest';
import { wordsOf } from './search-words.ts';

const expectSameWords = (one: string, other: string) =>
  expect(wordsOf(one).sort()).toEqual(wordsOf(other).sort());

test('case, accents, full width and inflection do not distinguish words', () => {
  expectSameWords('Überschriften CRÈME Straße', 'uberschriften creme STRASSE');
  expectSameWords('ＷＣＡＧ ﬁelds', 'wcag field');
  expectSameWords('The labels were missing', 'label missing');
  expectSameWords('checked boxes', 'checking box');
  expectSameWords('soft\u00adhyphen', 'softhyphen');
});

test('stop words are left out', () => {
  expect(wordsOf('it is what we have')).toEqual([]);
});

test.each([
  ['ERR-4521', ['err4521', 'err', '4521']],
  ['ERR_4521', ['err4521', 'err', '4521']],
  ['ERR4521', ['err4521', 'err', '4521']],
  ['WCAG 1.4.3', ['wcag', '1.4.3']],
  ['WCAG1.4.3.', ['wcag1.4.3', 'wcag', '1.4.3']],
  ['v2.3.1', ['v2.3.1', '2.3.1']],
  ['#1234', ['#1234', '1234']],
  ['foo_bar', ['foobar', 'foo', 'bar']],
  ['focusVisible', ['focusvisibl', 'focus', 'visibl']],
  ['HTMLElement', ['htmlelement', 'html', 'element']],
  ['1,000', ['1000']],
  ["l'accessibilité", ['laccessibilit', 'accessibilit']],
  [
    'https://example.com/checkout/step-2?x=1',
    ['http', 'example.com', 'exampl', 'com', 'checkout', 'step2', 'step', 'x', '1'],
  ],
])('%s is found as a whole and by its parts', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('scripts without spaces are searched by pairs of letters', () => {
  expect(wordsOf('検索する')).toEqual(['検索', '索す', 'する']);
  expect(wordsOf('第3章 見出し')).toEqual(['第', '3', '章', '見出', '出し']);
});

test('letters beyond the basic multilingual plane are not split', () => {
  expect(wordsOf('𠮷野家')).toEqual(['𠮷野', '野家']);
  expect(wordsOf('🎉 done 👩‍💻')).toEqual(['don']);
});

test('the number of words and their length are limited', () => {
  const many = wordsOf(Array.from({ length: 50_000 }, (_, index) => `word${index}x`).join(' '));
  expect(many).toHaveLength(2_000);
  for (const text of [
    'a'.repeat(1_000_000),
    'a.'.repeat(500_000),
    'aB'.repeat(500_000),
    'ﷺ'.repeat(300_000),
    '字'.repeat(1_000_000),
  ])
    for (const word of wordsOf(text)) expect(word.length).toBeLessThanOrEqual(64);
});

test('combining accents on their own are not words', () => {
  expect(wordsOf('\u0301 mark 字 \u0300\u0301')).toEqual(['mark', '字']);
});
