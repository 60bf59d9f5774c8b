import { components } from './operations.ts';

export interface Schema {
  [keyword: string]: unknown;
}
type Path = (string | number)[];

// Annotations, and `format`, which restrict no value here.
const IGNORED = [
  'description',
  'discriminator',
  'default',
  'examples',
  'format',
  'title',
  'deprecated',
  'readOnly',
  'writeOnly',
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const matchesType = (type: unknown, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : type === typeOf(value);

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Follows the references of a schema; returns the schema itself if it has none. */
export function resolve(schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const found = components[schema.$ref.replace('#/components/schemas/', '')];
  if (!found) throw new Error(`${schema.$ref} does not exist.`);
  return resolve(found);
}

type Rule = (expected: never, value: unknown, path: Path, schema: Schema) => string[];

const at = (path: Path, message: string): string[] => [`${path.join('.') || 'the answer'} ${message}`];
const when = (wrong: boolean, path: Path, message: string): string[] => (wrong ? at(path, message) : []);

const members = (schemas: Schema[], value: unknown, path: Path): string[][] =>
  schemas.map((schema) => problemsOf(schema, value, path));

const rules: Record<string, Rule> = {
  $ref: (_: string, value, path, schema) => problemsOf(resolve(schema), value, path),
  type: (expected: string | string[], value, path) =>
    when(
      ![expected].flat().some((type) => matchesType(type, value)),
      path,
      `is ${typeOf(value)}, not ${expected}`,
    ),
  const: (expected: unknown, value, path) =>
    when(!same(expected, value), path, `is not ${JSON.stringify(expected)}`),
  enum: (expected: unknown[], value, path) =>
    when(!expected.some((option) => same(option, value)), path, `is none of ${expected.join(', ')}`),
  minimum: (limit: number, value, path) =>
    when(typeof value === 'number' && value < limit, path, `is under ${limit}`),
  maximum: (limit: number, value, path) =>
    when(typeof value === 'number' && value > limit, path, `is over ${limit}`),
  exclusiveMinimum: (limit: number, value, path) =>
    when(typeof value === 'number' && value <= limit, path, `is not over ${limit}`),
  exclusiveMaximum: (limit: number, value, path) =>
    when(typeof value === 'number' && value >= limit, path, `is not under ${limit}`),
  minLength: (limit: number, value, path) =>
    when(typeof value === 'string' && [...value].length < limit, path, `is shorter than ${limit}`),
  maxLength: (limit: number, value, path) =>
    when(typeof value === 'string' && [...value].length > limit, path, `is longer than ${limit}`),
  pattern: (pattern: string, value, path) =>
    when(
      typeof value === 'string' && !new RegExp(pattern, 'u').test(value),
      path,
      `does not match ${pattern}`,
    ),
  minItems: (limit: number, value, path) =>
    when(Array.isArray(value) && value.length < limit, path, `has under ${limit} items`),
  maxItems: (limit: number, value, path) =>
    when(Array.isArray(value) && value.length > limit, path, `has over ${limit} items`),
  items: (items: Schema, value, path, schema) => {
    const first = (schema.prefixItems as Schema[] | undefined)?.length ?? 0;
    return Array.isArray(value)
      ? value.slice(first).flatMap((item, index) => problemsOf(items, item, [...path, first + index]))
      : [];
  },
  prefixItems: (items: Schema[], value, path) =>
    Array.isArray(value)
      ? value
          .slice(0, items.length)
          .flatMap((item, index) => problemsOf(items[index]!, item, [...path, index]))
      : [],
  required: (names: string[], value, path) =>
    isObject(value) ? names.flatMap((name) => when(!Object.hasOwn(value, name), path, `has no ${name}`)) : [],
  properties: (properties: Record<string, Schema>, value, path) =>
    isObject(value)
      ? Object.entries(properties).flatMap(([name, inner]) =>
          Object.hasOwn(value, name) ? problemsOf(inner, value[name], [...path, name]) : [],
        )
      : [],
  propertyNames: (names: Schema, value, path) =>
    isObject(value) ? Object.keys(value).flatMap((name) => problemsOf(names, name, [...path, name])) : [],
  additionalProperties: (inner: Schema | boolean, value, path, schema) => {
    if (!isObject(value)) return [];
    const known = (schema.properties as Record<string, Schema> | undefined) ?? {};
    return Object.keys(value)
      .filter((name) => !Object.hasOwn(known, name))
      .flatMap((name) => problemsOf(inner, value[name], [...path, name]));
  },
  allOf: (schemas: Schema[], value, path) => members(schemas, value, path).flat(),
  anyOf: (schemas: Schema[], value, path) => nearest(members(schemas, value, path)),
  oneOf: (schemas: Schema[], value, path) => {
    const problems = members(schemas, value, path);
    const fitting = problems.filter(({ length }) => length === 0).length;
    return fitting > 1 ? at(path, `fits ${fitting} schemas where one is allowed`) : nearest(problems);
  },
  not: (schema: Schema, value, path) =>
    when(problemsOf(schema, value, path).length === 0, path, 'is what it must not be'),
};

const nearest = (problems: string[][]): string[] =>
  problems.reduce((best, other) => (other.length < best.length ? other : best));

/**
 * The violations of a schema by a value, one sentence each. Throws for an unknown keyword, so that no value passes only
 * because its schema was not understood.
 */
export function problemsOf(schema: Schema | boolean, value: unknown, path: Path = []): string[] {
  if (typeof schema === 'boolean') return when(!schema, path, 'is not declared');
  return Object.entries(schema).flatMap(([keyword, expected]) => {
    if (IGNORED.includes(keyword)) return [];
    const rule = rules[keyword];
    if (!rule) throw new Error(`No rule for the keyword ${keyword}.`);
    return rule(expected as never, value, path, schema);
  });
}
