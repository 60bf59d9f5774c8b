import { expect, test } from 'vitest';
import { MANUAL, pageOf, type SamplePassage } from '../../../../test/reviews/rules-page.ts';
import { findPlaceholders } from './placeholder.ts';

const found = (passages: SamplePassage[], html = '') =>
  findPlaceholders(pageOf(passages, html)).map(({ issueType, severity }) => `${issueType} ${severity}`);

test.each([
  'logger XXX: the level of all messages',
  'Use {{ user.name }} to show a name.',
  'The path is %PATH% or #{HOME}.',
  'A comment with TODO marks work to do.',
  'Defaults need to be filled in to complete it.',
  'Use the editor to write a message.',
  'Page name',
  'It is then at https://<your-server>/path.',
  'null',
])('%j is no placeholder in a lesson', (text) => {
  expect(found([text], MANUAL)).toEqual([]);
});

test('code has no placeholders', () => {
  expect(found([{ text: '// TODO: {{ name }} XXX', marks: ['code'] }])).toEqual([]);
});

test.each([
  ['TODO: describe the terms of delivery.', 'editorial-note low'],
  ['Lorem ipsum dolor sit amet, consectetur adipiscing elit.', 'lorem-ipsum high'],
  ['We deliver to [insert city name] within two days.', 'unfilled-variable medium'],
  ['Hi {{first_name}}, your parcel is on its way.', 'unfilled-variable medium'],
  ['Your company name here', 'template-text medium'],
])('%j is a placeholder, in a lesson too', (text, expected) => {
  expect(found([text])).toEqual([expected]);
  expect(found([text], MANUAL)).toEqual([expected]);
});

test('a page that shows fonts has no placeholders in their samples', () => {
  const samples = ['Heading 1', 'Heading 2', 'Heading 3', 'The quick brown fox jumps over the lazy dog'];
  expect(found(samples)).toEqual([]);
  expect(found(['Heading 1'])).toEqual(['template-text medium']);
});

test('a phrase has one cause wherever it stands, and a picture that of its address', () => {
  const causes = (passages: string[], html = '') =>
    findPlaceholders(pageOf(passages, html)).map(({ cause }) => cause);
  expect(causes(['Card Title'])).toEqual(causes(['Hello.', 'card title']));
  expect(causes([], '<img src="https://via.placeholder.com/150">')).toEqual([
    'address https://via.placeholder.com/150',
  ]);
});
