import type { FindingRecord } from '@redpen/client';
import { expect, test } from 'vitest';
import { cursorIn, rowsOf, shortAddress, toggle } from './inbox-rows.ts';

const finding = (id: string, more: Partial<FindingRecord> = {}) =>
  ({ id, agentId: 'links', severity: 'low', pageUrl: 'https://example.com/', ...more }) as FindingRecord;

const found = [
  finding('a', { causeId: 'c' }),
  finding('b'),
  finding('c', { causeId: 'c', pageUrl: 'https://example.com/b', severity: 'high' }),
  finding('d', { causeId: 'd' }),
  finding('e', { causeId: 'c', agentId: 'other' }),
];

test('findings with one cause are one row, at the place of the first', () => {
  const rows = rowsOf(found, 'cause', new Set());
  expect(rows.map(({ kind, findings }) => [kind, findings.map(({ id }) => id)])).toEqual([
    ['cause', ['a', 'c']],
    ['finding', ['b']],
    ['finding', ['d']],
    ['finding', ['e']],
  ]);
  expect(rows[0]).toMatchObject({ severity: 'high', pages: 2, isExpanded: false });
});

test('an expanded cause is followed by its places', () => {
  const [cause] = rowsOf(found, 'cause', new Set());
  const rows = rowsOf(found, 'cause', new Set([cause!.key]));
  expect(rows.map(({ key }) => key).slice(1)).toEqual(['a', 'c', 'b', 'd', 'e']);
  expect(rows.slice(0, 4)).toMatchObject([
    { isExpanded: true },
    { isPlace: true },
    { isPlace: true },
    { isPlace: false },
  ]);
});

test('without groups each finding is a row', () => {
  expect(rowsOf(found, 'none', new Set()).map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a row is selected with all of its findings', () => {
  const [cause] = rowsOf(found, 'cause', new Set());
  const some = toggle(new Set(['a', 'b']), cause!);
  expect([...some].sort()).toEqual(['a', 'b', 'c']);
  expect([...toggle(some, cause!)]).toEqual(['b']);
});

test('the cursor stays on its row, or on the one that took its place', () => {
  const rows = rowsOf(found, 'none', new Set());
  expect(cursorIn(rows, 'c', 0)).toBe(2);
  expect(cursorIn(rows, 'gone', 2)).toBe(2);
  expect(cursorIn(rows, 'gone', 9)).toBe(4);
  expect(cursorIn([], undefined, 0)).toBe(-1);
});

test('a page is known by its path', () => {
  expect(shortAddress('https://example.com/')).toBe('example.com');
  expect(shortAddress('https://example.com/a/b?c=d')).toBe('/a/b?c=d');
  expect(shortAddress('no address')).toBe('no address');
});
