import { expect, test } from 'vitest';
import type { Anchor } from './finding-anchor.ts';
import { matchAnchors } from './match-anchors.ts';

const anchor = (fields: Partial<Anchor>): Anchor => ({
  issueType: 'spelling',
  title: 'A word is misspelt',
  description: 'It is not in the dictionary.',
  targetText: '',
  occurrence: 1,
  before: '',
  after: '',
  selector: '',
  xpath: '',
  snippet: '',
  url: '',
  ...fields,
});
const pairs = (before: Partial<Anchor>[], now: Partial<Anchor>[]) =>
  Object.fromEntries(matchAnchors(before.map(anchor), now.map(anchor)));

test('identical findings match, each at most once', () => {
  const one = { targetText: 'teh' };
  expect(pairs([one, one], [one, one, one])).toEqual({ 0: 0, 1: 1 });
});

test('equal quotes are distinguished by the words around them, even after an earlier occurrence was fixed', () => {
  const first = { targetText: 'teh', occurrence: 1, before: 'we open', after: 'shop at nine' };
  const second = { targetText: 'teh', occurrence: 2, before: 'please close', after: 'door behind you' };
  expect(pairs([first, second], [{ ...second, occurrence: 1 }])).toEqual({ 0: 1 });
  expect(
    pairs(
      [first, second],
      [
        { targetText: 'teh', occurrence: 1, before: 'a new', after: 'paragraph here' },
        { ...first, occurrence: 2, after: 'shop at ten' },
        { ...second, occurrence: 3 },
      ],
    ),
  ).toEqual({ 1: 0, 2: 1 });
});

test('a finding with another quote, address or issue type does not match', () => {
  const place = { selector: 'main > p', snippet: '<p>teh recieve</p>' };
  expect(pairs([{ ...place, targetText: 'teh' }], [{ ...place, targetText: 'recieve' }])).toEqual({});
  expect(
    pairs([{ ...place, url: 'https://a.example/1' }], [{ ...place, url: 'https://a.example/2' }]),
  ).toEqual({});
  expect(
    pairs([{ ...place, targetText: 'teh' }], [{ ...place, targetText: 'teh', issueType: 'style' }]),
  ).toEqual({});
});

test('a finding matches by its address if the link moved, and by its quote if a word of it changed', () => {
  const url = 'https://a.example/gone';
  expect(
    pairs([{ url, selector: '#a' }], [{ selector: '#a' }, { url, selector: 'nav > a', title: 'New' }]),
  ).toEqual({
    1: 0,
  });
  const sentence = 'Our product is the best one that money can buy today';
  expect(pairs([{ targetText: sentence }], [{ targetText: sentence.replace('today', 'now') }])).toEqual({
    0: 0,
  });
  expect(pairs([{ targetText: 'teh' }], [{ targetText: 'teh shop' }])).toEqual({ 0: 0 });
});

test('an element matches after its classes and place changed, and does not match by its place alone', () => {
  const type = { issueType: 'accessibility', title: 'Images must have alternative text' };
  const image = (src: string, nth: number, klass: string) => ({
    ...type,
    selector: `main > img:nth-of-type(${nth})`,
    snippet: `<img class="${klass}" src="${src}">`,
  });
  expect(
    pairs(
      [image('/a.png', 1, 'x'), image('/b.png', 2, 'x')],
      [image('/new.png', 1, 'y'), image('/a.png', 2, 'y z'), image('/b.png', 3, 'y')],
    ),
  ).toEqual({ 1: 0, 2: 1 });
  // Different rules on one element are different findings.
  const contrast = {
    ...image('/a.png', 1, 'x'),
    title: 'Elements need colour contrast',
    description: 'Ratio 2:1.',
  };
  expect(pairs([image('/a.png', 1, 'x')], [contrast])).toEqual({});
});

test('findings about a whole page match by their wording', () => {
  const one = { title: 'The page has no description', issueType: 'meta' };
  expect(
    pairs([one], [{ ...one, title: 'The page has no title', description: 'Add a title.' }, one]),
  ).toEqual({ 1: 0 });
});

test('thousands of findings are matched without comparing all pairs', () => {
  const many = (shift: number) =>
    Array.from({ length: 3_000 }, (_, index) => ({
      url: `https://a.example/${index + shift}`,
      occurrence: 1 + shift,
    }));
  const found = matchAnchors(many(0).map(anchor), many(10).map(anchor));
  expect(found.size).toBe(2_990);
  expect(found.get(0)).toBe(10);
});
