import { expect, test } from 'vitest';
import { readAddress, tabOf } from './address.ts';

test('reads what pages of agents know, and nothing else', () => {
  expect(readAddress({ tab: 'versions', view: 'json', from: '', url: 7, other: 'x' })).toEqual({
    tab: 'versions',
    view: 'json',
  });
  expect(readAddress({ view: 'form' })).toEqual({});
});

test('an unknown tab is the first', () => {
  expect(tabOf({ tab: 'nope' }, ['edit', 'versions'])).toBe('edit');
  expect(tabOf({ tab: 'versions' }, ['edit', 'versions'])).toBe('versions');
});
