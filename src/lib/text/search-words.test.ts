import { expect, test } from 'vitest';
import { wordsOf } from './search-words.ts';

const same = (one: string, other: string) => expect(wordsOf(one).sort()).toEqual(wordsOf(other).sort());

test('Case, accents, width and endings make no other word', () => {
  same('Überschriften CRÈME Straße', 'uberschriften creme STRASSE');
  same('ＷＣＡＧ ﬁelds', 'wcag field');
  same('The labels were missing', 'label missing');
  same('checked boxes', 'checking box');
  same('soft\u00adhyphen', 'softhyphen');
});

test('Words that tell nothing are left out', () => {
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
])('%s is found whole and in parts', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('Scripts without spaces are searched by pairs of letters', () => {
  expect(wordsOf('検索する')).toEqual(['検索', '索す', 'する']);
  expect(wordsOf('第3章 見出し')).toEqual(['第', '3', '章', '見出', '出し']);
});

test('Words of letters beyond the basic plane stay whole', () => {
  expect(wordsOf('𠮷野家')).toEqual(['𠮷野', '野家']);
  expect(wordsOf('🎉 done 👩‍💻')).toEqual(['don']);
});

test('Huge texts and words are cut', () => {
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

test('Accents alone are no words', () => {
  expect(wordsOf('\u0301 mark 字 \u0300\u0301')).toEqual(['mark', '字']);
});
