import { expect, test } from 'vitest';
import { isWithin, valueAt, withValueAt } from './json-path.ts';

const agent = { name: 'Reader', scope: { pageScope: ['/a'], crossPage: { enabled: true } } };

test('reads values by their path', () => {
  expect(valueAt(agent, ['scope', 'pageScope', 0])).toBe('/a');
  expect(valueAt(agent, ['scope', 'none', 'deeper'])).toBeUndefined();
  expect(valueAt(agent, ['name', 'length'])).toBeUndefined();
});

test('changes a value without touching the original', () => {
  expect(withValueAt(agent, ['scope', 'crossPage', 'enabled'], false)).toEqual({
    ...agent,
    scope: { ...agent.scope, crossPage: { enabled: false } },
  });
  expect(withValueAt(undefined, ['execution', 'mcpServers', 0, 'id'], 'a')).toEqual({
    execution: { mcpServers: [{ id: 'a' }] },
  });
  expect(agent.scope.crossPage.enabled).toBe(true);
});

test('removes a field, and the objects around it that become empty', () => {
  expect(withValueAt(agent, ['scope', 'crossPage', 'enabled'], undefined)).toEqual({
    name: 'Reader',
    scope: { pageScope: ['/a'] },
  });
  expect(
    withValueAt({ scope: { crossPage: { enabled: true } } }, ['scope', 'crossPage', 'enabled'], undefined),
  ).toEqual({});
  expect(withValueAt({ list: [{ id: 'a' }] }, ['list', 0, 'id'], undefined)).toEqual({ list: [{}] });
});

test('keeps the order of fields', () => {
  expect(Object.keys(withValueAt(agent, ['name'], 'Other') as object)).toEqual(['name', 'scope']);
});

test('compares paths whose indexes are numbers or strings', () => {
  expect(isWithin(['a', 0, 'b'], ['a', '0'])).toBe(true);
  expect(isWithin(['a'], ['a', 0])).toBe(false);
});
