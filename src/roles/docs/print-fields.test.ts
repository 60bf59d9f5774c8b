import { expect, test } from 'vitest';
import { printFields, type Schema, typeOf } from './print-fields.ts';

const fieldsIn = (schema: Schema, components = {}): string[] =>
  (printFields(schema, components) ?? '')
    .split('\n')
    .slice(2)
    .map((row) => row.split('`')[1]!);

const item: Schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

test('fields of lists, maps and alternatives are listed at any depth', () => {
  expect(fieldsIn({ type: 'array', items: { anyOf: [item, { type: 'null' }] } })).toEqual(['[].id']);
  expect(fieldsIn({ type: 'object', additionalProperties: { type: 'array', items: item } })).toEqual([
    '{key}[].id',
  ]);
  expect(fieldsIn({ properties: { users: { type: 'object', additionalProperties: item } } })).toEqual([
    'users',
    'users.{key}.id',
  ]);
  const other: Schema = { properties: { total: { type: 'number' } } };
  expect(fieldsIn({ anyOf: [item, other] })).toEqual(['id', 'total']);
  expect(fieldsIn({ allOf: [item, other] })).toEqual(['id', 'total']);
});

test('an alternative with the same fields refers to the first one', () => {
  const map: Schema = { additionalProperties: { type: 'array', items: item } };
  const printed = printFields({ anyOf: [{ type: 'array', items: item }, map] }, {})!;
  expect(printed.split('\n').slice(2)).toEqual([
    '| `[].id` | string | yes |  |',
    '| `{key}[]` | object | no | In this form, with the fields of `[]`. |',
  ]);
});

test('a recursive schema is listed once', () => {
  const folder: Schema = {
    properties: {
      name: { type: 'string' },
      inner: { type: 'array', items: { $ref: '#/components/schemas/Folder' } },
    },
  };
  expect(fieldsIn({ $ref: '#/components/schemas/Folder' }, { Folder: folder })).toEqual(['name', 'inner']);
});

test('a schema without fields has no table', () => {
  expect(printFields({ type: 'string' }, {})).toBeUndefined();
});

test('types have parentheses where they are ambiguous', () => {
  expect(typeOf({ type: 'array', items: { anyOf: [item, { type: 'null' }] } }, {})).toBe(
    'array of (object or null)',
  );
  expect(typeOf({ type: 'object', additionalProperties: { type: 'number' } }, {})).toBe('map of number');
  expect(typeOf({ type: 'object', additionalProperties: {} }, {})).toBe('object');
});
