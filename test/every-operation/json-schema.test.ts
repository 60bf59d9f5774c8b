import { expect, test } from 'vitest';
import { problemsOf, type Schema } from './json-schema.ts';

const person: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 3, pattern: '^\\S' },
    age: { type: 'integer', minimum: 0, exclusiveMaximum: 200 },
    kind: { enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    pair: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    one: { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    fixed: { const: 'x' },
    free: {},
    byName: { type: 'object', propertyNames: { maxLength: 2 }, additionalProperties: { type: 'number' } },
    never: { not: { type: 'string' } },
  },
  additionalProperties: false,
};

test.each<[unknown, number]>([
  [{ name: 'Jo' }, 0],
  [{ name: '🙂🙂🙂', age: 0, kind: 'b', tags: ['x'], pair: ['x', 1, 2], either: null, fixed: 'x' }, 0],
  [{ name: 'Jo', one: 0.5, free: { a: [1] }, byName: { ab: 1 }, never: 1 }, 0],
  ['Jo', 1],
  [{}, 1],
  [{ name: '' }, 2],
  [{ name: ' Joe' }, 2],
  [{ name: 'Jo', age: -1 }, 1],
  [{ name: 'Jo', age: 200 }, 1],
  [{ name: 'Jo', age: 1.5 }, 1],
  [{ name: 'Jo', kind: 'c' }, 1],
  [{ name: 'Jo', tags: [] }, 1],
  [{ name: 'Jo', tags: ['a', 1, 'c'] }, 2],
  [{ name: 'Jo', pair: [1, 'x'] }, 2],
  [{ name: 'Jo', either: 1 }, 1],
  [{ name: 'Jo', one: 1 }, 1],
  [{ name: 'Jo', fixed: 'y' }, 1],
  [{ name: 'Jo', byName: { abc: 'x' } }, 2],
  [{ name: 'Jo', never: 'x' }, 1],
  [{ name: 'Jo', more: 1 }, 1],
])('%j has %i problems', (value, count) => {
  expect(problemsOf(person, value)).toHaveLength(count);
});

test('an unknown keyword throws', () => {
  expect(() => problemsOf({ uniqueItems: true }, [])).toThrow('No rule for the keyword uniqueItems.');
});
