import { expect, test } from 'vitest';
import { orderFor } from './palette-order.ts';

const ENTRIES = [
  { label: 'Review a page', words: 'new run' },
  { label: 'Findings', words: 'inbox triage' },
  { label: 'Agents', words: 'gallery checks' },
  { label: 'Page audit', words: 'page-audit' },
  { label: 'Spéll check', words: 'agent_1' },
];
const found = (typed: string) => orderFor(ENTRIES, typed).map(({ label }) => label);

test('a name that begins with what is typed is before one that has it elsewhere', () => {
  expect(found('age')).toEqual(['Agents', 'Review a page', 'Page audit', 'Spéll check']);
  expect(found(' PAGE')).toEqual(['Page audit', 'Review a page']);
});

test('other words find an entry from their beginning, and accents do not matter', () => {
  expect(found('tri')).toEqual(['Findings']);
  expect(found('spell')).toEqual(['Spéll check']);
  expect(found('zzz')).toEqual([]);
});

test('before anything is typed, all entries keep their order', () => {
  expect(found('')).toEqual(ENTRIES.map(({ label }) => label));
});
