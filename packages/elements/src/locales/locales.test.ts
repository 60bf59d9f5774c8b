import { expect, test } from 'vitest';
import { LANGUAGES, type Messages, wordsFor } from '../element/words.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';

const locales: Readonly<Record<string, Messages>> = { en, de, fr, es, ja, ar };
const keys = Object.keys(en).sort();

const formsOf = (text: Messages[keyof Messages]): string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
const placesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

test('every language that is offered has texts', () => {
  expect([...LANGUAGES].sort()).toEqual(Object.keys(locales).sort());
});

test.each(Object.entries(locales))('%s has each text once, and none is empty', (_language, messages) => {
  expect(Object.keys(messages).sort()).toEqual(keys);
  expect(Object.values(messages).flatMap(formsOf)).not.toContain('');
});

test.each(Object.entries(locales))('%s has a form for each number', (language, messages) => {
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  // Large round numbers, which Romance languages treat apart, read like the others here.
  const forms = needed.filter((category) => language === 'ar' || category !== 'many');
  for (const [key, text] of Object.entries(messages)) {
    const isCounted = typeof en[key as keyof typeof en] !== 'string';
    expect(typeof text, key).toBe(isCounted ? 'object' : 'string');
    if (isCounted) expect(Object.keys(text).sort(), key).toEqual(expect.arrayContaining([...forms].sort()));
  }
});

test.each(Object.entries(locales))('%s uses the values that the English text uses', (_language, messages) => {
  for (const [key, text] of Object.entries(messages)) {
    const allowed = new Set(formsOf(en[key as keyof typeof en]).flatMap(placesOf));
    const used = formsOf(text).map(placesOf);
    expect([...new Set(used.flat())].sort(), key).toEqual([...allowed].sort());
    // `one` and the like may write the number as a word; the general form may not leave anything out.
    expect(new Set(used.at(-1)), key).toEqual(allowed);
  }
});

test('a region has the texts of its language, and a language without texts has English ones', async () => {
  const [german, english] = [await wordsFor('de-AT'), await wordsFor('pt-BR')];
  expect(german.t('severity.high')).toBe('Hoch');
  expect(english.t('severity.high')).toBe('High');
  expect(english.locale).toBe('en');
  expect((await wordsFor('not a locale')).locale).toBe('en');
});

test('numbers and plurals follow the language', async () => {
  const [english, arabic] = [await wordsFor('en'), await wordsFor('ar')];
  expect(english.t('pins.picture', { page: '/', count: 1 })).toBe('Picture of the page / with 1 pin');
  expect(english.t('pins.picture', { page: '/', count: 1_200 })).toBe(
    'Picture of the page / with 1,200 pins',
  );
  expect(arabic.t('pins.picture', { page: '/', count: 2 })).toBe('صورة الصفحة / مع علامتين');
  expect(arabic.dir).toBe('rtl');
  expect(english.dir).toBe('ltr');
});

test('times are said as people say them', async () => {
  const english = await wordsFor('en');
  const now = Date.UTC(2026, 10, 26, 12);
  expect(english.ago(now - 30_000, now)).toBe('now');
  expect(english.ago(now - 180_000, now)).toBe('3 min. ago');
  expect(english.ago(now - 86_400_000, now)).toBe('yesterday');
  expect(english.ago(Date.UTC(2026, 9, 1, 12), now)).toBe('Oct 1, 2026');
  expect(english.duration(61_000)).toBe('61 sec');
  expect(english.duration(600_000)).toBe('10 min');
});
