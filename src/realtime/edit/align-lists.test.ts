import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignLists, type ListSlot } from './align-lists.ts';

const numberOf = (text: string) => createHash('sha256').update(text).digest().readUIntBE(0, 6);

/** Creates slots from texts: the first letter is the shape, and the words after it are the features. */
const slotsOf = (...texts: string[]): ListSlot[] =>
  texts.map((text) => ({
    id: numberOf(text),
    shape: text[0] ?? null,
    features: () => new Set(text.slice(1).split(' ')),
  }));

const largeBudget = () => ({ left: 600_000_000, places: 20_000 });
const pairs = (before: string[], after: string[], budget = largeBudget()) =>
  alignLists(slotsOf(...before), slotsOf(...after), budget).map(
    ([old, wanted]) => `${before[old]}→${after[wanted]}`,
  );

test('equal elements are paired first, then those of one shape with the most in common', () => {
  expect(pairs(['p1', 'p2', 'p3'], ['p1', 'p9', 'p3'])).toEqual(['p1→p1', 'p2→p9', 'p3→p3']);
  expect(pairs(['p1', 'p2'], ['h1', 'p2', 'h2'])).toEqual(['p2→p2']);
  expect(pairs(['pa b c', 'pd e f'], ['px y', 'pa b d', 'pd e'])).toEqual(['pa b c→pa b d', 'pd e f→pd e']);
  expect(pairs(['h1', 'p2'], ['p3', 'h4'])).toHaveLength(1);
});

test('pairs have one shape and do not cross, and equal lists are paired completely', () => {
  const list = fc.array(fc.constantFrom('pa', 'pa b', 'pc', 'h', 'ha', 'hb c', 't'), { maxLength: 12 });
  const efforts = fc.constantFrom(600_000_000, 0);
  fc.assert(
    fc.property(list, list, efforts, (before, after, left) => {
      const found = alignLists(slotsOf(...before), slotsOf(...after), { left, places: 1 });
      for (const [index, [old, wanted]] of found.entries()) {
        expect(before[old]?.[0]).toBe(after[wanted]?.[0]);
        const next = found[index + 1];
        if (next) expect(next[0] > old && next[1] > wanted).toBe(true);
      }
      const same = alignLists(slotsOf(...before), slotsOf(...before), { left, places: 1 });
      expect(same.filter(([old, wanted]) => old !== wanted)).toEqual([]);
    }),
  );
});

test('in long lists, equal elements are found at any distance, and no element is paired twice', () => {
  const before = Array.from({ length: 3_000 }, (_, at) => `pword${at}`);
  const after = ['pfirst', ...before.slice(1_000), 'plast'];
  const equal = before.slice(1_000).map((text) => `${text}→${text}`);
  expect(pairs(before, after, { left: 0, places: 1 })).toEqual(expect.arrayContaining(equal));
  const alike = (end: string) => Array.from({ length: 100 }, (_, at) => `pmuch is alike here ${at}${end}`);
  const found = alignLists(slotsOf(...alike('a')), slotsOf(...alike('b').reverse()), largeBudget());
  for (const at of [0, 1] as const) {
    const places = found.map((pair) => pair[at]);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  }
});

test('in lists that differ too much for a full comparison, unique and nearby elements are still paired', () => {
  const before = Array.from({ length: 6_000 }, (_, at) => `pword${at} and ${at * 3} or ${at * 7}`);
  const after = before.flatMap((text, at) => {
    if (at % 3 === 0) return [];
    return at % 3 === 1 ? [text] : [text.replace('and', 'but')];
  });
  const expected = before.flatMap((text, at) => {
    if (at % 3 === 0) return [];
    return at % 3 === 1 ? [`${text}→${text}`] : [`${text}→${text.replace('and', 'but')}`];
  });
  expect(pairs(before, after, { left: 0, places: 1 })).toEqual(expected);
  const shifted = before.slice(5).map((text) => text.replace('or', 'nor'));
  const near = pairs(before, shifted);
  expect(near.length).toBeGreaterThan(5_900);
  expect(
    near.every(
      (pair) => pair.split('→')[0]?.replace('or', 'nor').slice(0, 9) === pair.split('→')[1]?.slice(0, 9),
    ),
  ).toBe(true);
});
