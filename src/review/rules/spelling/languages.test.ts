import { expect, test } from 'vitest';
import { languageOf, nameLanguages } from './languages.ts';

test('tags lead to dictionaries, and Portuguese to those of its country', () => {
  const tags = ['EN-gb', 'de_AT', 'pt', 'pt-PT', 'pt-AO', 'pt-Latn-BR', 'sv', ''];
  expect(tags.map((tag) => languageOf(tag)?.tag)).toEqual([
    ...['en', 'de', 'pt', 'pt-PT', 'pt-PT', 'pt-BR', undefined, undefined],
  ]);
});

test('languages have names for people, even those with invalid tags', () => {
  expect(nameLanguages(['de'])).toBe('German (de)');
  expect(nameLanguages(['fr-CA', 'und'])).toBe(
    'Canadian French (fr-CA), a language that the page does not name',
  );
  expect(nameLanguages(['no such <b>language</b> at all, and a long one at that'])).toBe(
    'no such <b>language</b> at all, and',
  );
  expect(nameLanguages(['de', 'fr', 'es', 'it', 'nl', 'pl'])).toMatch(/^German.*Dutch \(nl\) and others$/);
});
